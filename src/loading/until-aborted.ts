/** Rejects when a signal aborts, until `end`. */
export function untilAborted(signal: AbortSignal): { readonly promise: Promise<never>; end(): void } {
  let abort = (): void => undefined
  const promise = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
  })
  promise.catch(() => undefined) // raced by the caller
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return { promise, end: () => signal.removeEventListener('abort', abort) }
}
