/** Search by up to 1,000 ids, or by acceptance in a range of at most 100 blue scores. Exactly one of both. */
export interface ChainRestTxSearch {
  transactionIds?: string[]
  acceptingBlueScores?: ChainRestTxSearchAcceptingBlueScores
}

export interface ChainRestTxSearchAcceptingBlueScores {
  /** From this blue score, inclusive. */
  gte: number
  /** Up to this blue score, exclusive. */
  lt: number
}

/** `ChainRestTxSearch` with readonly lists; null means unused, as in the server's model. */
export interface ChainRestTransactionSearch {
  readonly transactionIds?: readonly string[] | null | undefined
  readonly acceptingBlueScores?: Readonly<ChainRestTxSearchAcceptingBlueScores> | null | undefined
}
