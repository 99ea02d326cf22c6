/** The rejection of a promise; an error where it resolves. */
export const failure = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => new Error('The promise has resolved'),
    (error: unknown) => error,
  )
