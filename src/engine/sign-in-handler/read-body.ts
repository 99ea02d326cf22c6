/** Reads a body up to `maxBodySize` bytes within `bodyTimeout` ms; otherwise the status that says why not. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array> | null,
  { maxBodySize, bodyTimeout }: { readonly maxBodySize: number; readonly bodyTimeout: number },
): Promise<string | 408 | 413> {
  const iterator = chunks?.[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  const timeout = AbortSignal.timeout(bodyTimeout)
  const late = new Promise<'late'>((resolve) => timeout.addEventListener('abort', () => resolve('late')))
  let [text, size] = ['', 0]
  for (;;) {
    const next = await Promise.race([iterator?.next() ?? END, late])
    if (next === 'late') return 408
    if (next.done === true) return text + decoder.decode()
    size += next.value.length
    if (size > maxBodySize) return 413
    text += decoder.decode(next.value, { stream: true })
  }
}

const END = { done: true, value: undefined } as const
