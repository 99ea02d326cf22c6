type Iteration<T> = AsyncIterableIterator<T, undefined, undefined>

const DONE = { done: true, value: undefined } as const

/**
 * An iteration whose code is loaded with the first `next()`; `return()` before that loads nothing. Rejects where
 * loading fails; the next `next()` then loads again.
 */
export function deferIteration<T>(load: () => Promise<Iteration<T>>): Iteration<T> {
  let opened: Promise<Iteration<T>> | undefined
  let isReturned = false
  const open = async (): Promise<Iteration<T>> => {
    try {
      return await (opened ??= load())
    } catch (error) {
      opened = undefined
      throw error
    }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: async () => (isReturned ? DONE : (await open()).next()),
    return: async () => {
      isReturned = true
      return (await opened?.catch(() => undefined))?.return?.() ?? DONE // a failed load has rejected `next()`
    },
  }
}
