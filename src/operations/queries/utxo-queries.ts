import { addressArgument, addressesArgument, hashArgument, hexArgument, scoreArgument } from './checks.js'
import { unchanged, emptyRequest, type QueryTable } from './entry.js'
import {
  toBalances,
  toFeeEstimate,
  toMempoolEntries,
  toMempoolEntry,
  toRequestedEntry,
  toReturnAddress,
} from './results.js'

/** Queries about UTXOs and transactions. */
export const UTXO_QUERIES: Pick<
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
  | 'getSubnetwork'
> = {
  getBalanceByAddress: {
    argumentCount: 1,
    request: (network, address) => ({ address: addressArgument('address', address, network) }),
    result: ({ balance }, address) => ({ address, balance }),
  },
  getBalancesByAddresses: {
    argumentCount: 1,
    request: (network, addresses) => ({ addresses: addressesArgument('addresses', addresses, network) }),
    result: ({ entries }, addresses) => toBalances(entries, addresses),
  },
  getUtxosByAddresses: {
    argumentCount: 1,
    request: (network, addresses) => ({ addresses: addressesArgument('addresses', addresses, network) }),
    result: ({ entries }) => [...entries],
  },
  getUtxoReturnAddress: {
    argumentCount: 2,
    request: (_network, transactionId, acceptingDaaScore) => ({
      txid: hashArgument('transactionId', transactionId),
      acceptingBlockDaaScore: scoreArgument('acceptingDaaScore', acceptingDaaScore),
    }),
    result: ({ returnAddress }) => toReturnAddress(returnAddress),
  },
  getCoinSupply: {
    argumentCount: 0,
    request: emptyRequest,
    result: ({ circulatingSompi, maxSompi }) => ({ circulatingCoinSupply: circulatingSompi, maxCoinSupply: maxSompi }),
  },
  getMempoolEntry: {
    argumentCount: 1,
    request: (_network, transactionId) => ({
      transactionId: hashArgument('transactionId', transactionId),
      includeOrphanPool: true,
      filterTransactionPool: false,
    }),
    result: ({ mempoolEntry }, transactionId) => toRequestedEntry(mempoolEntry, transactionId),
  },
  getMempoolEntries: {
    argumentCount: 1,
    request: (_network, includeOrphanPool = false) => ({ includeOrphanPool, filterTransactionPool: false }),
    result: ({ mempoolEntries }) => mempoolEntries.map((entry) => toMempoolEntry('getMempoolEntries', entry)),
  },
  getMempoolEntriesByAddresses: {
    argumentCount: 1,
    request: (network, addresses) => ({
      addresses: addressesArgument('addresses', addresses, network),
      includeOrphanPool: false,
      filterTransactionPool: false,
    }),
    result: ({ entries }, addresses) => toMempoolEntries(entries, addresses),
  },
  getFeeEstimate: { argumentCount: 0, request: emptyRequest, result: ({ estimate }) => toFeeEstimate(estimate) },
  getSubnetwork: {
    argumentCount: 1,
    request: (_network, subnetworkId) => ({ subnetworkId: hexArgument('subnetworkId', subnetworkId, 20) }),
    result: unchanged,
  },
}
