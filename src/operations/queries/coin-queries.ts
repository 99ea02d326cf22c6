import {
  addressArgument,
  addressesArgument,
  hashArgument,
  hexArgument,
  scoreArgument,
  transactionArgument,
} from './checks.js'
import { asItIs, nothing, type QueryTable } from './entry.js'
import { toFeeEstimate, toMempoolEntry } from './results.js'

/** What is asked about coins and transactions. */
export const COIN_QUERIES: Pick<
  QueryTable,
  | 'getBalanceByAddress'
  | 'getBalancesByAddresses'
  | 'getUtxosByAddresses'
  | 'getUtxoReturnAddress'
  | 'getCoinSupply'
  | 'getMempoolEntry'
  | 'getMempoolEntries'
  | 'getMempoolEntriesByAddresses'
  | 'getFeeEstimate'
  | 'submitTransaction'
  | 'submitTransactionReplacement'
  | 'getSubnetwork'
> = {
  getBalanceByAddress: {
    takes: 1,
    request: (network, address) => ({ address: addressArgument('address', address, network) }),
    result: ({ balance }, address) => ({ address, balance }),
  },
  getBalancesByAddresses: {
    takes: 1,
    request: (network, addresses) => ({ addresses: addressesArgument('addresses', addresses, network) }),
    result: ({ entries }) => entries.map(({ address, balance = 0n }) => ({ address, balance })),
  },
  getUtxosByAddresses: {
    takes: 1,
    request: (network, addresses) => ({ addresses: addressesArgument('addresses', addresses, network) }),
    result: ({ entries }) => [...entries],
  },
  getUtxoReturnAddress: {
    takes: 2,
    request: (_network, transactionId, acceptingDaaScore) => ({
      txid: hashArgument('transactionId', transactionId),
      acceptingBlockDaaScore: scoreArgument('acceptingDaaScore', acceptingDaaScore),
    }),
    result: ({ returnAddress }) => returnAddress,
  },
  getCoinSupply: {
    takes: 0,
    request: nothing,
    result: ({ circulatingSompi, maxSompi }) => ({ circulatingCoinSupply: circulatingSompi, maxCoinSupply: maxSompi }),
  },
  getMempoolEntry: {
    takes: 1,
    request: (_network, transactionId) => ({
      transactionId: hashArgument('transactionId', transactionId),
      includeOrphanPool: true,
      filterTransactionPool: false,
    }),
    result: ({ mempoolEntry }) => toMempoolEntry('getMempoolEntry', mempoolEntry),
  },
  getMempoolEntries: {
    takes: 1,
    request: (_network, includeOrphanPool = false) => ({ includeOrphanPool, filterTransactionPool: false }),
    result: ({ mempoolEntries }) => mempoolEntries.map((entry) => toMempoolEntry('getMempoolEntries', entry)),
  },
  getMempoolEntriesByAddresses: {
    takes: 1,
    request: (network, addresses) => ({
      addresses: addressesArgument('addresses', addresses, network),
      includeOrphanPool: false,
      filterTransactionPool: false,
    }),
    result: ({ entries }) =>
      entries.map(({ address, sending, receiving }) => ({
        address,
        sending: sending.map((entry) => toMempoolEntry('getMempoolEntriesByAddresses', entry)),
        receiving: receiving.map((entry) => toMempoolEntry('getMempoolEntriesByAddresses', entry)),
      })),
  },
  getFeeEstimate: { takes: 0, request: nothing, result: ({ estimate }) => toFeeEstimate(estimate) },
  submitTransaction: {
    takes: 2,
    request: (_network, transaction, allowOrphan = false) => ({
      transaction: transactionArgument('transaction', transaction),
      allowOrphan,
    }),
    result: ({ transactionId }) => transactionId,
  },
  submitTransactionReplacement: {
    takes: 1,
    request: (_network, transaction) => ({ transaction: transactionArgument('transaction', transaction) }),
    result: ({ transactionId }) => transactionId,
  },
  getSubnetwork: {
    takes: 1,
    request: (_network, subnetworkId) => ({ subnetworkId: hexArgument('subnetworkId', subnetworkId, 20) }),
    result: asItIs,
  },
}
