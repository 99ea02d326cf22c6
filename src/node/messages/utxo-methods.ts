import { type Shape, emptyBody, type MethodEntry } from './shape.js'
import { balanceEntry, utxoEntry, mempoolEntry, mempoolEntryByAddress, transaction } from './transactions.js'

/** Fee rates, in sompi per gram of mass. */

const bucket = { tag: 'none', fields: { feerate: 'f64', estimatedSeconds: 'f64' } } as const satisfies Shape

const feeEstimate = {
  tag: 'u16',
  fields: { priorityBucket: bucket, normalBuckets: { vec: bucket }, lowBuckets: { vec: bucket } },
} as const satisfies Shape

/** A feerate is infinite while the mempool contains a transaction of storage mass 0, and -1 while it is empty. */
const feeEstimateVerbose = {
  tag: 'u16',
  fields: {
    mempoolReadyTransactionsCount: 'count',
    mempoolReadyTransactionsTotalMass: 'count',
    networkMassPerSecond: 'count',
    nextBlockTemplateFeerateMin: 'f64',
    nextBlockTemplateFeerateMedian: 'f64',
    nextBlockTemplateFeerateMax: 'f64',
  },
} as const satisfies Shape

/** Methods for UTXOs and transactions. */
export const utxoMethods = {
  getUtxosByAddresses: {
    op: 135,
    request: { tag: 'u16', fields: { addresses: { vec: 'address' } } },
    response: { tag: 'u16', fields: { entries: { boxvec: utxoEntry } } },
  },
  getBalanceByAddress: {
    op: 136,
    request: { tag: 'u16', fields: { address: 'address' } },
    response: { tag: 'u16', fields: { balance: 'sompi' } },
  },
  getBalancesByAddresses: {
    op: 137,
    request: { tag: 'u16', fields: { addresses: { vec: 'address' } } },
    response: { tag: 'u16', fields: { entries: { boxvec: balanceEntry } } },
  },
  getUtxoReturnAddress: {
    op: 150,
    since: '0.16.1',
    request: { tag: 'u16', fields: { txid: 'hash', acceptingBlockDaaScore: 'u64' } },
    response: { tag: 'u16', fields: { returnAddress: 'address' } },
  },
  getCoinSupply: {
    op: 144,
    request: emptyBody,
    response: { tag: 'u16', fields: { maxSompi: 'sompi', circulatingSompi: 'sompi' } },
  },
  getMempoolEntry: {
    op: 121,
    request: {
      tag: 'u16',
      fields: { transactionId: 'hash', includeOrphanPool: 'bool', filterTransactionPool: 'bool' },
    },
    response: { tag: 'u16', fields: { mempoolEntry: { box: mempoolEntry } } },
  },
  getMempoolEntries: {
    op: 122,
    request: { tag: 'u16', fields: { includeOrphanPool: 'bool', filterTransactionPool: 'bool' } },
    response: { tag: 'u16', fields: { mempoolEntries: { boxvec: mempoolEntry } } },
  },
  getMempoolEntriesByAddresses: {
    op: 143,
    request: {
      tag: 'u16',
      fields: { addresses: { vec: 'address' }, includeOrphanPool: 'bool', filterTransactionPool: 'bool' },
    },
    response: { tag: 'u16', fields: { entries: { boxvec: mempoolEntryByAddress } } },
  },
  submitTransaction: {
    op: 125,
    request: { tag: 'u16', fields: { transaction: { box: transaction }, allowOrphan: 'bool' } },
    response: { tag: 'u16', fields: { transactionId: 'hash' } },
  },
  submitTransactionReplacement: {
    op: 146,
    request: { tag: 'u16', fields: { transaction: { box: transaction } } },
    response: { tag: 'u16', fields: { transactionId: 'hash', replacedTransaction: { box: transaction } } },
  },
  getFeeEstimate: { op: 147, request: emptyBody, response: { tag: 'u16', fields: { estimate: { box: feeEstimate } } } },
  getFeeEstimateExperimental: {
    op: 148,
    request: { tag: 'u16', fields: { verbose: 'bool' } },
    response: { tag: 'u16', fields: { estimate: { box: feeEstimate }, verbose: { boxopt: feeEstimateVerbose } } },
  },
  getSubnetwork: {
    op: 127,
    request: { tag: 'u16', fields: { subnetworkId: 'subnetworkId' } },
    response: { tag: 'u16', fields: { gasLimit: 'u64' } },
  },
} as const satisfies Record<string, MethodEntry>
