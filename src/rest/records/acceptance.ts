import type { Shape } from '../decoding/shape.js'

/** Acceptance of a transaction. */
export interface ChainRestTransactionAcceptance {
  transactionId: string
  accepted?: boolean
  acceptingBlockHash?: string
  acceptingBlueScore?: number
  /** Unix milliseconds. */
  acceptingTimestamp?: number
}

export const acceptances: Shape<ChainRestTransactionAcceptance[]> = {
  each: {
    has: { transactionId: 'text' },
    may: { accepted: 'flag', acceptingBlockHash: 'text', acceptingBlueScore: 'count', acceptingTimestamp: 'time' },
  },
}
