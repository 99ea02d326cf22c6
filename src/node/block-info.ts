import type { BlockInfo } from '../model/block-info.js'
import type { RpcBlock } from './messages/records.js'

/** A node's block, in short. The ids come from its verbose data, or, where the node built none, from its transactions. */
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
