import {
  addressArgument,
  addressesArgument,
  hashArgument,
  hexArgument,
  scoreArgument,
  invalidValue,
  validateArguments,
} from './checks.js'
import {
  unchanged,
  emptyRequest,
  type QueryTable,
  toBalances,
  toFeeEstimate,
  toMempoolEntries,
  toMempoolEntry,
  toRequestedEntry,
  toReturnAddress,
} from './results.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toOutpointKey, toScriptKey, type UtxoEntry } from '../../model/utxo.js'
import type { QueryDeps } from './call.js'

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

/** An outpoint, with the script of its output. */
type OutpointQuery = Pick<UtxoEntry, 'outpoint' | 'scriptPublicKey'>

/** Looks up outpoints by the addresses of their scripts, with one call. */
export async function outpointQuery(
  outputs: readonly OutpointQuery[],
  { call, network }: QueryDeps,
  options?: AbortOptions,
): Promise<(UtxoEntry | null)[]> {
  const addresses = validateArguments('getUtxosByOutpoints', () => addressesOf(outputs, network()))
  if (addresses.length === 0) return []
  const { entries } = await call('getUtxosByAddresses', { addresses }, options)
  const found = new Map(entries.map((entry) => [toOutpointKey(entry.outpoint), entry]))
  return outputs.map(({ outpoint, scriptPublicKey }) => {
    const entry = found.get(toOutpointKey(outpoint))
    return entry !== undefined && toScriptKey(entry.scriptPublicKey) === toScriptKey(scriptPublicKey) ? entry : null
  })
}

function addressesOf(outputs: readonly OutpointQuery[], network: ChainNetwork): string[] {
  const addresses = outputs.map(({ scriptPublicKey }, at) => {
    const address = toAddress(scriptPublicKey, NETWORKS[network].addressPrefix)
    if (address === undefined) throw invalidValue(`outputs[${at}].scriptPublicKey`, 'a script with an address')
    return address
  })
  return [...new Set(addresses)]
}
