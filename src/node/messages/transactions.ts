import { outpoint } from './utxos.js'
import type { Shape } from './shape.js'

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
export const acceptedTransactionIds = {
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
