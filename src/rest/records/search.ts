/** What to search for: up to 1,000 ids, or the transactions accepted in a range of at most 100 blue scores. One of both. */
export interface ChainRestTxSearch {
  transactionIds?: string[]
  acceptingBlueScores?: ChainRestTxSearchAcceptingBlueScores
}

export interface ChainRestTxSearchAcceptingBlueScores {
  /** From this blue score, itself included. */
  gte: number
  /** Up to this blue score, itself left out. */
  lt: number
}

/** A search that may be made of lists which nobody changes; null says what the server's own model says by it: not this way. */
export interface RestTransactionSearch {
  readonly transactionIds?: readonly string[] | null | undefined
  readonly acceptingBlueScores?: Readonly<ChainRestTxSearchAcceptingBlueScores> | null | undefined
}
