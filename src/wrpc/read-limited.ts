import { ChainError } from '../errors/chain-error.js'

/**
 * The body of a response as text, read in chunks: at most `limit` bytes, after decompression. Rejects with `ChainError`
 * above the limit; the caller then aborts the request.
 */
export async function readLimited({ body }: Response, limit: number): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let received = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    received += value.length
    if (received > limit) {
      await reader.cancel()
      throw new ChainError(`The response has more than ${limit} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
