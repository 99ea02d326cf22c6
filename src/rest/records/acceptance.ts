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

export interface ChainRestVcTxInput {
  previous_outpoint_hash: string
  previous_outpoint_index: number
  signature_script?: string
  /** This and the following only if inputs are resolved. */
  previous_outpoint_script?: string
  previous_outpoint_address?: string
  /** Sompi, rounded to a double above 2^53. */
  previous_outpoint_amount?: number
  previous_outpoint_amountExact?: bigint
}

export interface ChainRestVcTxOutput {
  script_public_key: string
  script_public_key_address: string
  /** Sompi, rounded to a double above 2^53. */
  amount: number
  amountExact: bigint
}

export interface ChainRestVcTx {
  transaction_id: string
  is_accepted?: boolean
  /** None in a coinbase. */
  inputs?: ChainRestVcTxInput[]
  outputs?: ChainRestVcTxOutput[]
}

/** A chain block and its accepted transactions. */
export interface ChainRestVcBlock {
  hash: string
  blue_score: number
  daa_score?: number
  /** Unix milliseconds. */
  timestamp?: number
  transactions?: ChainRestVcTx[]
}

/** Changes of the virtual chain since a block: removed and added blocks, and what the added ones accepted. */
export interface ChainRestVirtualChainFromBlock {
  removedChainBlockHashes: string[]
  addedChainBlockHashes: string[]
  acceptedTransactionIds: ChainRestAcceptedTransactionIds[]
}

export interface ChainRestAcceptedTransactionIds {
  acceptingBlockHash: string
  acceptedTransactionIds: string[]
}

export const virtualChain: Shape<ChainRestVcBlock[]> = {
  each: {
    has: { hash: 'text', blue_score: 'count' },
    may: {
      daa_score: 'count',
      timestamp: 'time',
      transactions: {
        each: {
          has: { transaction_id: 'text' },
          may: {
            is_accepted: 'flag',
            inputs: {
              each: {
                has: { previous_outpoint_hash: 'text', previous_outpoint_index: 'u32' },
                may: {
                  signature_script: 'text',
                  previous_outpoint_script: 'text',
                  previous_outpoint_address: 'text',
                  previous_outpoint_amount: 'u64',
                },
              },
            },
            outputs: {
              each: { has: { script_public_key: 'text', script_public_key_address: 'text', amount: 'u64' } },
            },
          },
        },
      },
    },
  },
}

export const virtualChainFromBlock: Shape<ChainRestVirtualChainFromBlock> = {
  has: {
    removedChainBlockHashes: 'texts',
    addedChainBlockHashes: 'texts',
    acceptedTransactionIds: { each: { has: { acceptingBlockHash: 'text', acceptedTransactionIds: 'texts' } } },
  },
}
