import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { isValidAddress } from '../../model/address.js'
import type { BlockInfo } from '../../model/block.js'
import { toBlockInfo } from '../../node/block-info.js'
import { malformed } from '../../node/port.js'
import type { RpcBlock, RpcMempoolEntry, RpcMethod, RpcResponse, RpcRequest } from '../../node/messages/records.js'
import type { BalanceResult, FeeEstimate, MempoolEntry, ServerInfo } from './records.js'
import type { MempoolEntriesOfAddress, RpcQueries } from './rpc-queries.js'
import type { ChainNetwork } from '../../model/network.js'

/**
 * Converts wire records into results. Their numbers were read within their ranges; here they are held to the request: a
 * block, a transaction or an address that was not requested makes the response malformed.
 */

export function toServerInfo(server: RpcResponse<'getServerInfo'>, info: RpcResponse<'getInfo'>): ServerInfo {
  const { hasUtxoIndex, isSynced, serverVersion, networkId } = server
  const { hasNotifyCommand, hasMessageId } = info
  return { isUtxoIndexEnabled: hasUtxoIndex, isSynced, hasNotifyCommand, hasMessageId, serverVersion, networkId }
}

export function toRequestedBlock(block: RpcBlock, hash: string): BlockInfo {
  if (block.verboseData === undefined) throw incomplete('getBlock', `block ${block.header.hash}`)
  if (block.header.hash !== hash.toLowerCase()) throw malformed('getBlock', 'another block was returned')
  return toBlockInfo(block)
}

export function toMempoolEntry(method: RpcMethod, { fee, isOrphan, transaction }: RpcMempoolEntry): MempoolEntry {
  const { inputs, outputs, verboseData } = transaction
  if (verboseData === undefined) throw incomplete(method, 'a transaction of the mempool')
  return { fee, isOrphan, transaction: { id: verboseData.transactionId, inputs: [...inputs], outputs: [...outputs] } }
}

export function toRequestedEntry(record: RpcMempoolEntry, transactionId: string): MempoolEntry {
  const entry = toMempoolEntry('getMempoolEntry', record)
  if (entry.transaction.id === transactionId.toLowerCase()) return entry
  throw malformed('getMempoolEntry', 'another transaction was returned')
}

/** In the order of the requested addresses. */
export function toBalances(
  entries: RpcResponse<'getBalancesByAddresses'>['entries'],
  addresses: readonly string[],
): BalanceResult[] {
  const isRequested = entries.every(({ address }, at) => address === addresses[at])
  if (!isRequested || entries.length !== addresses.length)
    throw malformed('getBalancesByAddresses', 'balances of other addresses were returned')
  return entries.map(({ address, balance = 0n }) => ({ address, balance }))
}

export function toMempoolEntries(
  entries: RpcResponse<'getMempoolEntriesByAddresses'>['entries'],
  addresses: readonly string[],
): MempoolEntriesOfAddress[] {
  const METHOD = 'getMempoolEntriesByAddresses'
  const requested = new Set(addresses)
  return entries.map(({ address, sending, receiving }) => {
    if (!requested.has(address)) throw malformed(METHOD, 'an address was not requested')
    return {
      address,
      sending: sending.map((entry) => toMempoolEntry(METHOD, entry)),
      receiving: receiving.map((entry) => toMempoolEntry(METHOD, entry)),
    }
  })
}

/** One for each requested score. */
export function toTimestamps(timestamps: readonly bigint[], daaScores: readonly bigint[]): number[] {
  if (timestamps.length === daaScores.length) return timestamps.map(Number)
  throw malformed('getDaaScoreTimestampEstimate', 'scores and times differ in number')
}

export function toReturnAddress(address: string): string {
  if (isValidAddress(address)) return address
  throw malformed('getUtxoReturnAddress', 'the address is none')
}

export const toFeeEstimate = ({ priorityBucket, normalBuckets, lowBuckets }: WireEstimate): FeeEstimate => ({
  priorityBucket,
  normalBuckets: [...normalBuckets],
  lowBuckets: [...lowBuckets],
})

type WireEstimate = RpcResponse<'getFeeEstimate'>['estimate']

/** Nodes always return verbose data in these responses, although it is optional in the wire type. */
const incomplete = (method: RpcMethod, what: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The response lacks the verbose data of ${what}`), {
    code: 'malformed',
  })

/** A query with a single call: all but `getInfo` and submissions. */
export type SimpleQuery = Exclude<
  keyof RpcQueries & RpcMethod,
  'getInfo' | 'submitTransaction' | 'submitTransactionReplacement'
>

/** What a query resolves to. */
export type QueryResult<Q extends SimpleQuery> = Awaited<ReturnType<RpcQueries[Q]>>

/** Maps a query to its request, and the response to its result. */
export interface QueryEntry<Q extends SimpleQuery> {
  /** Number of arguments before the options. */
  readonly argumentCount: number
  /** Throws `ChainError` (`invalid-argument`). */
  readonly request: (network: ChainNetwork, ...args: Parameters<RpcQueries[Q]>) => RpcRequest<Q>
  readonly result: (response: RpcResponse<Q>, ...args: Parameters<RpcQueries[Q]>) => QueryResult<Q>
}

export type QueryTable = { readonly [Q in SimpleQuery]: QueryEntry<Q> }

export const emptyRequest = (): Record<string, never> => ({})

export const unchanged = <T>(response: T): T => response

export const noResult = (): void => undefined
