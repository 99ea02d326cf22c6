import type { NodeNotification, RpcBlock, RpcHeader, RpcResponse } from '../../src/node/messages/records.js'

/** An endless virtual chain: block n follows block n − 1. */

/** A number as 32 bytes in hex. */
export const chainHash = (number: number): string => number.toString(16).padStart(64, '0')

/** Adds block `number`. Without accepted ids, which the library does not subscribe to. */
export const chainBlock = (number: number): NodeNotification => ({
  type: 'virtual-chain-changed',
  data: { removedChainBlockHashes: [], addedChainBlockHashes: [chainHash(number)], acceptedTransactionIds: [] },
})

/** The number of a block, from its hash. */
export const indexOf = (hash: string): number => Number.parseInt(hash, 16)

/** A page of the chain, and a transaction that one of its blocks accepted. */
export type Page = RpcResponse<'getVirtualChainFromBlockV2'>
export type Accepted = Page['chainBlockAcceptedTransactions'][number]['acceptedTransactions'][number]

/** Block `number`, which has no transactions, with these fields of its header. */
export function emptyBlock(number: number, fields: Pick<RpcHeader, 'timestamp' | 'blueScore'>): RpcBlock {
  const hash = chainHash(number)
  const roots = { hashMerkleRoot: hash, acceptedIdMerkleRoot: hash, utxoCommitment: hash, pruningPoint: hash }
  const blueWork = number.toString(16).padStart(48, '0')
  const plain = { hash, version: 2, bits: 0, nonce: 0n, daaScore: fields.blueScore, blueWork, parentsByLevel: [] }
  return {
    header: { ...plain, ...roots, ...fields },
    transactions: [],
    verboseData: {
      hash,
      difficulty: 1,
      selectedParentHash: chainHash(Math.max(0, number - 1)),
      transactionIds: [],
      isHeaderOnly: false,
      blueScore: fields.blueScore,
      childrenHashes: [],
      mergeSetBluesHashes: [],
      mergeSetRedsHashes: [],
      isChainBlock: true,
    },
  }
}
