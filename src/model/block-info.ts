/** Summary of a block. */
export interface BlockInfo {
  readonly hash: string
  /** Unix milliseconds, from the header. */
  readonly timestamp: number
  readonly blueScore: bigint
  /** Ids of the transactions it includes, the coinbase first. */
  readonly transactions: string[]
}
