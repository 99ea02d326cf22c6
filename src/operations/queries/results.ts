import type { BlockInfo } from '../../model/block-info.js'
import type { RpcBlock, RpcMempoolEntry, RpcResponse } from '../../node/messages/records.js'
import { transactionId } from '../../model/transaction-id.js'
import type { MempoolEntry, ServerInfo } from './records.js'

/** The wire's records as those that callers get. */

export function toServerInfo(server: RpcResponse<'getServerInfo'>, info: RpcResponse<'getInfo'>): ServerInfo {
  const { hasUtxoIndex, isSynced, serverVersion, networkId } = server
  const { hasNotifyCommand, hasMessageId } = info
  return { isUtxoIndexEnabled: hasUtxoIndex, isSynced, hasNotifyCommand, hasMessageId, serverVersion, networkId }
}

/** The ids come from the verbose data, which a node leaves out where it fails to build it; then they are computed. */
export function toBlockInfo({ header, verboseData, transactions }: RpcBlock): BlockInfo {
  return {
    hash: header.hash,
    timestamp: Number(header.timestamp),
    blueScore: header.blueScore,
    transactions: verboseData?.transactionIds ?? transactions.map(transactionId),
  }
}

export function toMempoolEntry({ fee, isOrphan, transaction }: RpcMempoolEntry): MempoolEntry {
  const { inputs, outputs, verboseData } = transaction
  return {
    fee,
    isOrphan,
    transaction: { id: verboseData?.transactionId ?? transactionId(transaction), inputs, outputs },
  }
}
