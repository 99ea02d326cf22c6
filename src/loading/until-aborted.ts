import { onAbort } from './abortable.js'

/** Rejects when a signal aborts, until `end`. */
export function untilAborted(signal: AbortSignal): { readonly promise: Promise<never>; end(): void } {
  let end = (): void => undefined
  const promise = new Promise<never>((_, reject) => {
    end = onAbort(signal, (reason) => reject(reason instanceof Error ? reason : new Error('Aborted')))
  })
  promise.catch(() => undefined) // raced by the caller
  return { promise, end: () => end() }
}
