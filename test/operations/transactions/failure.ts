/** How an attempt fails, to be looked at; an error that says so where it does not. */
export const failure = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => new Error('it went through'),
    (error: unknown) => error,
  )
