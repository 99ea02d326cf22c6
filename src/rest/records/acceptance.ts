import type { Shape } from '../reading/shape.js'

/** Whether, by whom and when a transaction was accepted. */
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
    may: { accepted: 'flag', acceptingBlockHash: 'text', acceptingBlueScore: 'int', acceptingTimestamp: 'int' },
  },
}
