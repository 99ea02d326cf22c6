import type { Shape } from './shape.js'
import { transaction } from './transactions.js'

/** Blocks and their headers. */

/** A header without its hash, as mined. */
const headerFields = {
  version: 'u16',
  parentsByLevel: { vec: { vec: 'hash' } },
  hashMerkleRoot: 'hash',
  acceptedIdMerkleRoot: 'hash',
  utxoCommitment: 'hash',
  timestamp: 'time',
  bits: 'u32',
  nonce: 'u64',
  daaScore: 'score',
  blueWork: 'blueWork',
  blueScore: 'score',
  pruningPoint: 'hash',
} as const

export const rawHeader = { tag: 'u16', fields: headerFields } as const satisfies Shape

const hashedHeaderFields = /*#__PURE__*/ Object.assign({ hash: 'hash' } as const, headerFields)

export const header = { tag: 'u16', fields: hashedHeaderFields } as const satisfies Shape

/** The header as `getHeaders` and `getBlockRewardInfo` write it. */
export const untaggedHeader = { tag: 'none', fields: hashedHeaderFields } as const satisfies Shape

export const blockVerboseData = {
  tag: 'u8',
  fields: {
    hash: 'hash',
    difficulty: 'measure',
    selectedParentHash: 'hash',
    transactionIds: { vec: 'hash' },
    isHeaderOnly: 'bool',
    blueScore: 'score',
    childrenHashes: { vec: 'hash' },
    mergeSetBluesHashes: { vec: 'hash' },
    mergeSetRedsHashes: { vec: 'hash' },
    isChainBlock: 'bool',
  },
} as const satisfies Shape

export const block = {
  tag: 'u16',
  fields: {
    header: { box: header },
    transactions: { boxvec: transaction },
    verboseData: { boxopt: blockVerboseData },
  },
} as const satisfies Shape

/** A block without hash and verbose data: a template or a submitted block. */
export const rawBlock = {
  tag: 'u16',
  fields: { header: { box: rawHeader }, transactions: { boxvec: transaction } },
} as const satisfies Shape
