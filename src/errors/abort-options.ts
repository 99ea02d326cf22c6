/** The signal of a call. */
export interface AbortOptions {
  /**
   * Ends the wait: the promise rejects with code `aborted`. A request that was sent is not revoked, and a connection
   * attempt, which callers share, continues until `disconnect()`.
   */
  readonly signal?: AbortSignal | undefined
}
