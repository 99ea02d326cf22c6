import type { Shape } from './shape.js'
import { transaction, covenantBinding, scriptClass } from './transactions.js'

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

const blockVerboseData = {
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

/** The records of `getVirtualChainFromBlockV2`. Almost every field is optional; the verbosity decides. */

/** What is filled in: hashes only; addresses and ids; amounts of the spent UTXOs; everything. */
export const verbosity = {
  tagged: { oneOf: { None: 0, Low: 1, High: 2, Full: 3 }, width: 'i32' },
} as const satisfies Shape

const scriptVerboseData = {
  boxopt: {
    tag: 'u8',
    fields: { scriptPublicKeyType: { opt: scriptClass }, scriptPublicKeyAddress: { opt: 'address' } },
  },
} as const satisfies Shape

const optionalHeader = {
  tag: 'u16',
  fields: {
    hash: { opt: 'hash' },
    version: { opt: 'u16' },
    parentsByLevel: { opt: { levels: 'hash' } },
    hashMerkleRoot: { opt: 'hash' },
    acceptedIdMerkleRoot: { opt: 'hash' },
    utxoCommitment: { opt: 'hash' },
    timestamp: { opt: 'time' },
    bits: { opt: 'u32' },
    nonce: { opt: 'u64' },
    daaScore: { opt: 'score' },
    blueWork: { opt: 'blueWork' },
    blueScore: { opt: 'score' },
    pruningPoint: { opt: 'hash' },
  },
} as const satisfies Shape

const spentUtxo = {
  tag: 'u8',
  fields: {
    amount: { opt: 'sompi' },
    scriptPublicKey: { opt: 'scriptPublicKey' },
    blockDaaScore: { opt: 'u64' },
    isCoinbase: { opt: 'bool' },
    verboseData: scriptVerboseData,
    covenantId: { added: { opt: 'hash' } },
  },
} as const satisfies Shape

const optionalInput = {
  tag: 'u8',
  fields: {
    previousOutpoint: { boxopt: { tag: 'u8', fields: { transactionId: { opt: 'hash' }, index: { opt: 'u32' } } } },
    signatureScript: { opt: 'bytes' },
    sequence: { opt: 'u64' },
    sigOpCount: { opt: 'u8' },
    verboseData: { boxopt: { tag: 'u8', fields: { utxoEntry: { boxopt: spentUtxo } } } },
    computeBudget: { added: { opt: 'u16' } },
  },
} as const satisfies Shape

const optionalOutput = {
  tag: 'u8',
  fields: {
    value: { opt: 'sompi' },
    scriptPublicKey: { opt: 'scriptPublicKey' },
    verboseData: scriptVerboseData,
    covenant: { added: { boxopt: { tagged: { boxopt: covenantBinding } } } },
  },
} as const satisfies Shape

const optionalTransaction = {
  tag: 'u16',
  fields: {
    version: { opt: 'u16' },
    inputs: { boxvec: optionalInput },
    outputs: { boxvec: optionalOutput },
    lockTime: { opt: 'u64' },
    subnetworkId: { opt: 'subnetworkId' },
    gas: { opt: 'u64' },
    payload: { opt: 'bytes' },
    mass: { named: ['mass', 'storageMass'], is: { opt: 'count' } },
    verboseData: {
      boxopt: {
        tag: 'u8',
        fields: {
          transactionId: { opt: 'hash' },
          hash: { opt: 'hash' },
          computeMass: { opt: 'count' },
          blockHash: { opt: 'hash' },
          blockTime: { opt: 'time' },
        },
      },
    },
  },
} as const satisfies Shape

/** A chain block and what it accepted; the first transaction is the coinbase of its selected parent. */
export const acceptedByChainBlock = {
  tag: 'u16',
  fields: { chainBlockHeader: { box: optionalHeader }, acceptedTransactions: { boxvec: optionalTransaction } },
} as const satisfies Shape
