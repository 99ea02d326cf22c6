/** How long a caller waits. */
export interface WaitOptions {
  /** Ends the wait with `ChainRpcError` (`aborted`). */
  readonly signal?: AbortSignal | undefined
  /** Ms from the call until it rejects with `ChainRpcError` (`timeout`), connecting included. @default Infinity */
  readonly timeout?: number | undefined
}
