import { isRecord, type RecordShape, type Shape, type WireRecord } from '../decoding/shape.js'

export interface ChainRestParentHash {
  parentHashes?: string[]
}

/** A block's header. Times (ms), scores and nonce are decimal text, `blueWork` is hex. */
export interface ChainRestBlockHeader {
  version?: number
  hashMerkleRoot?: string
  acceptedIdMerkleRoot?: string
  utxoCommitment?: string
  timestamp?: string
  bits?: number
  nonce?: string
  daaScore?: string
  blueWork?: string
  /** By level; one level where the block comes from the database. */
  parents?: ChainRestParentHash[]
  blueScore?: string
  pruningPoint?: string
}

export interface ChainRestVerboseData {
  hash?: string
  difficulty?: number
  selectedParentHash?: string
  transactionIds?: string[]
  /** Decimal text. */
  blueScore?: string
  childrenHashes?: string[]
  mergeSetBluesHashes?: string[]
  mergeSetRedsHashes?: string[]
  isChainBlock?: boolean
}

export interface ChainRestBlockTxInputPreviousOutpoint {
  transactionId?: string
  index?: number
}

export interface ChainRestBlockTxInput {
  previousOutpoint?: ChainRestBlockTxInputPreviousOutpoint
  signatureScript?: string
  sigOpCount?: number
  /** Rounded to a double above 2^53, which is common. */
  sequence?: number
  sequenceExact?: bigint
}

export interface ChainRestBlockTxOutputScriptPublicKey {
  scriptPublicKey?: string
  version?: number
}

export interface ChainRestBlockTxOutputVerboseData {
  scriptPublicKeyType?: string
  scriptPublicKeyAddress?: string
}

export interface ChainRestBlockTxOutput {
  /** Sompi, rounded to a double above 2^53. */
  amount?: number
  amountExact?: bigint
  scriptPublicKey?: ChainRestBlockTxOutputScriptPublicKey
  verboseData?: ChainRestBlockTxOutputVerboseData
}

export interface ChainRestBlockTxVerboseData {
  transactionId: string
  hash?: string
  /** Grams. */
  computeMass?: number
  computeMassExact?: bigint
  blockHash?: string
  /** Unix milliseconds. */
  blockTime?: number
}

/** A transaction of a block. */
export interface ChainRestBlockTx {
  inputs?: ChainRestBlockTxInput[]
  outputs?: ChainRestBlockTxOutput[]
  subnetworkId?: string
  payload?: string
  verboseData: ChainRestBlockTxVerboseData
  lockTime?: number
  lockTimeExact?: bigint
  gas?: number
  gasExact?: bigint
  /** Grams: the storage mass from a node, the compute mass from the database. */
  mass?: number
  massExact?: bigint
  version?: number
}

export interface ChainRestBlock {
  header: ChainRestBlockHeader
  transactions?: ChainRestBlockTx[]
  verboseData: ChainRestVerboseData
  /** `color` (`blue`, `red`), `minerAddress` and `minerInfo`, as far as requested and known. */
  extra?: Record<string, unknown>
}

export interface ChainRestBlockResponse {
  /** The requested block first; empty if the node does not know it. */
  blockHashes?: string[]
  blocks?: ChainRestBlock[]
}

export const blockHeader: RecordShape<ChainRestBlockHeader> = {
  may: {
    version: 'u32',
    hashMerkleRoot: 'text',
    acceptedIdMerkleRoot: 'text',
    utxoCommitment: 'text',
    timestamp: 'timeDigits',
    bits: 'u32',
    nonce: 'digits',
    daaScore: 'countDigits',
    blueWork: 'text',
    parents: { each: { may: { parentHashes: 'texts' } } },
    blueScore: 'countDigits',
    pruningPoint: 'text',
  },
}

const blockTransaction: RecordShape<ChainRestBlockTx> = {
  has: {
    verboseData: {
      has: { transactionId: 'text' },
      may: { hash: 'text', computeMass: 'u64', blockHash: 'text', blockTime: 'time' },
    },
  },
  may: {
    inputs: {
      each: {
        may: {
          previousOutpoint: { may: { transactionId: 'text', index: 'u32' } },
          signatureScript: 'text',
          sigOpCount: 'u32',
          sequence: 'u64',
        },
      },
    },
    outputs: {
      each: {
        may: {
          amount: 'u64',
          scriptPublicKey: { may: { scriptPublicKey: 'text', version: 'u32' } },
          verboseData: { may: { scriptPublicKeyType: 'text', scriptPublicKeyAddress: 'text' } },
        },
      },
    },
    subnetworkId: 'text',
    payload: 'text',
    lockTime: 'u64',
    gas: 'u64',
    mass: 'u64',
    version: 'u32',
  },
}

/** The server sends null for what was not requested. */
function omitNulls(record: WireRecord): void {
  if (!isRecord(record.extra)) return
  record.extra = Object.fromEntries(Object.entries(record.extra).filter(([, value]) => value !== null))
}

export const block: RecordShape<ChainRestBlock> = {
  rename: omitNulls,
  has: {
    header: blockHeader,
    verboseData: {
      may: {
        hash: 'text',
        difficulty: 'measure',
        selectedParentHash: 'text',
        transactionIds: 'texts',
        blueScore: 'countDigits',
        childrenHashes: 'texts',
        mergeSetBluesHashes: 'texts',
        mergeSetRedsHashes: 'texts',
        isChainBlock: 'flag',
      },
    },
  },
  may: { transactions: { each: blockTransaction }, extra: 'object' },
}

export const blockList: Shape<ChainRestBlockResponse> = { may: { blockHashes: 'texts', blocks: { each: block } } }

export const blocks: Shape<ChainRestBlock[]> = { each: block }
