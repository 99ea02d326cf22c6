/**
 * Reads a body as UTF-8. Undefined if it exceeds `maxSize` bytes after decompression; the remaining bytes are not
 * downloaded then.
 */
export async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  // null for an empty body; some runtimes have no streams
  const stream = response.body as Response['body'] | undefined
  if (stream === null || stream === undefined) return limited(await response.text(), maxSize)
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > maxSize) {
      reader.cancel().catch(() => undefined) // the connection has already failed
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

const limited = (text: string, maxSize: number): string | undefined => (text.length > maxSize ? undefined : text)
