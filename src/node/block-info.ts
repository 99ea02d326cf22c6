import type { BlockInfo } from '../model/block.js'
import type { RpcBlock } from './messages/records.js'

/**
 * The only place where a node's block becomes a summary. Transaction ids come from the verbose data, or from the
 * transactions if there is none.
 */
export function toBlockInfo({ header, transactions, verboseData }: RpcBlock): BlockInfo {
  return {
    hash: header.hash,
    timestamp: Number(header.timestamp),
    blueScore: header.blueScore,
    transactions: [
      ...(verboseData?.transactionIds ?? transactions.flatMap((one) => one.verboseData?.transactionId ?? [])),
    ],
  }
}
