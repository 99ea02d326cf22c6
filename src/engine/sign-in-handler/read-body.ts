import { abortable } from '../../loading/abortable.js'

/** Reads a body up to `maxBodySize` bytes within `bodyTimeout` ms; otherwise the status that says why not. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array> | null,
  { maxBodySize, bodyTimeout }: { readonly maxBodySize: number; readonly bodyTimeout: number },
): Promise<string | 408 | 413> {
  const iterator = chunks?.[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  const timeout = AbortSignal.timeout(bodyTimeout)
  let [text, size] = ['', 0]
  try {
    for (;;) {
      const next = await abortable(timeout, async () => iterator?.next() ?? END)
      if (next.done === true) return text + decoder.decode()
      size += next.value.length
      if (size > maxBodySize) return 413
      text += decoder.decode(next.value, { stream: true })
    }
  } catch (error) {
    if (error === timeout.reason) return 408
    throw error
  }
}

const END = { done: true, value: undefined } as const
