import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { MAX_SOMPI } from '../../model/amount.js'
import type { BlockInfo } from '../../model/block-info.js'
import type { RpcBlock, RpcMempoolEntry, RpcResponse } from '../../node/messages/records.js'
import type { FeeEstimate, MempoolEntry, ServerInfo } from './records.js'

/** Converts wire records into results. */

export function toServerInfo(server: RpcResponse<'getServerInfo'>, info: RpcResponse<'getInfo'>): ServerInfo {
  const { hasUtxoIndex, isSynced, serverVersion, networkId } = server
  const { hasNotifyCommand, hasMessageId } = info
  return { isUtxoIndexEnabled: hasUtxoIndex, isSynced, hasNotifyCommand, hasMessageId, serverVersion, networkId }
}

export function toBlockInfo(method: string, { header, verboseData }: RpcBlock): BlockInfo {
  if (verboseData === undefined) throw incomplete(method, `block ${header.hash}`)
  const { hash, timestamp, blueScore } = header
  return { hash, timestamp: Number(timestamp), blueScore, transactions: [...verboseData.transactionIds] }
}

export function toMempoolEntry(method: string, { fee, isOrphan, transaction }: RpcMempoolEntry): MempoolEntry {
  const { inputs, outputs, verboseData } = transaction
  if (verboseData === undefined) throw incomplete(method, 'a transaction of the mempool')
  return { fee, isOrphan, transaction: { id: verboseData.transactionId, inputs: [...inputs], outputs: [...outputs] } }
}

export const toFeeEstimate = ({ priorityBucket, normalBuckets, lowBuckets }: WireEstimate): FeeEstimate => ({
  priorityBucket,
  normalBuckets: [...normalBuckets],
  lowBuckets: [...lowBuckets],
})

type WireEstimate = RpcResponse<'getFeeEstimate'>['estimate']

/** A balance in sompi. Throws `ChainRpcError` (`malformed`) for one that cannot exist. */
export function toBalance(method: string, balance: bigint): bigint {
  if (balance <= MAX_SOMPI) return balance
  throw new ChainRpcError(method, new ChainError('The balance exceeds the maximum supply'), { code: 'malformed' })
}

/** Nodes always return verbose data in these responses, although it is optional in the wire type. */
const incomplete = (method: string, what: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The response lacks the verbose data of ${what}`), {
    code: 'malformed',
  })
