import type { RpcBlock } from '../src/node/messages/records.js'

const NONE = '0'.repeat(64)

/** A block of which nothing but its hash matters. */
export const emptyBlock = (hash: string): RpcBlock => ({
  header: {
    hash,
    version: 1,
    parentsByLevel: [],
    hashMerkleRoot: NONE,
    acceptedIdMerkleRoot: NONE,
    utxoCommitment: NONE,
    timestamp: 5n,
    bits: 0,
    nonce: 0n,
    daaScore: 1n,
    blueWork: '0',
    blueScore: 1n,
    pruningPoint: NONE,
  },
  transactions: [],
  verboseData: undefined,
})
