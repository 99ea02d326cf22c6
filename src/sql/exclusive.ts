/** Runs asynchronous work one after the other, in the order of the calls. */
export function createExclusive(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined) // the caller of `work` has the error
    return result
  }
}
