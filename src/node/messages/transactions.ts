import type { Shape } from './shape.js'

/** UTXOs and balances. */

const outpoint = {
  tag: 'u8',
  fields: { transactionId: 'hash', index: 'u32' },
} as const satisfies Shape

const utxo = {
  tag: 'u8',
  fields: {
    amount: 'u64',
    scriptPublicKey: 'scriptPublicKey',
    blockDaaScore: 'u64',
    isCoinbase: 'bool',
    covenantId: { added: { opt: 'hash' } },
  },
} as const satisfies Shape

/** A UTXO with its address; the record is the flat `UtxoEntry` of the model. */
export const utxoEntry = {
  tag: 'u8',
  fields: { address: { opt: 'address' }, outpoint: { box: outpoint }, utxoEntry: { spread: { box: utxo } } },
} as const satisfies Shape

export const balanceEntry = {
  tag: 'u8',
  fields: { address: 'address', balance: { opt: 'sompi' } },
} as const satisfies Shape

/** Transactions in blocks and in the mempool. */

/** The classes of locking script that the node distinguishes. */
export const scriptClass = {
  oneOf: { NonStandard: 0, PubKey: 1, PubKeyECDSA: 2, ScriptHash: 3 },
  width: 'u8',
} as const satisfies Shape

export const covenantBinding = {
  tag: 'u8',
  fields: { authorizingInput: 'u16', covenantId: 'hash' },
} as const satisfies Shape

export const transactionInput = {
  tag: 'u8',
  fields: {
    previousOutpoint: { box: outpoint },
    signatureScript: 'bytes',
    sequence: 'u64',
    sigOpCount: 'u8',
    verboseData: { boxopt: { tag: 'u8', fields: {} } },
    computeBudget: { added: 'u16', absent: 0 },
  },
} as const satisfies Shape

export const transactionOutput = {
  tag: 'u8',
  fields: {
    value: 'sompi',
    scriptPublicKey: 'scriptPublicKey',
    verboseData: {
      boxopt: { tag: 'u8', fields: { scriptPublicKeyType: scriptClass, scriptPublicKeyAddress: 'address' } },
    },
    covenant: { added: { boxopt: covenantBinding } },
  },
} as const satisfies Shape

export const transaction = {
  tag: 'u16',
  fields: {
    version: 'u16',
    inputs: { boxvec: transactionInput },
    outputs: { boxvec: transactionOutput },
    lockTime: 'u64',
    subnetworkId: 'subnetworkId',
    gas: 'u64',
    payload: 'bytes',
    mass: { named: ['mass', 'storageMass'], is: 'count' },
    verboseData: {
      boxopt: {
        tag: 'u8',
        fields: { transactionId: 'hash', hash: 'hash', computeMass: 'count', blockHash: 'hash', blockTime: 'time' },
      },
    },
  },
} as const satisfies Shape

export const mempoolEntry = {
  tag: 'none',
  fields: { fee: 'sompi', transaction: { box: transaction }, isOrphan: { named: ['is_orphan'], is: 'bool' } },
} as const satisfies Shape

export const mempoolEntryByAddress = {
  tag: 'none',
  fields: { address: 'address', sending: { boxvec: mempoolEntry }, receiving: { boxvec: mempoolEntry } },
} as const satisfies Shape

/** The transactions accepted by one chain block. */
const acceptedTransactionIds = {
  tag: 'none',
  fields: { acceptingBlockHash: 'hash', acceptedTransactionIds: { vec: 'hash' } },
} as const satisfies Shape

/** A change of the virtual chain. Removed blocks come first: their accepted transactions are reverted. */
export const virtualChainChange = {
  tag: 'u16',
  fields: {
    removedChainBlockHashes: { vec: 'hash' },
    addedChainBlockHashes: { vec: 'hash' },
    acceptedTransactionIds: { vec: acceptedTransactionIds },
  },
} as const satisfies Shape
