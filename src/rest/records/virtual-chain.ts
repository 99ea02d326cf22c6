import type { Shape } from '../decoding/shape.js'

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
