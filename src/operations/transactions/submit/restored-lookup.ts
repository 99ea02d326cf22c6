import { ChainError } from '../../../errors/chain-error.js'
import type { Call } from '../../queries/call.js'
import { isInMempool, searchChain } from './lookup.js'

/**
 * Whether the network has a payment of an earlier process: in the mempool, or accepted since `lookupStart`. A block that
 * no chain block has merged does not count, because a reorg may have left it behind. A node that has pruned `lookupStart`
 * finds only the mempool; sending is then safe too, because the inputs of a payment can be spent only once.
 * Rejects with `ChainRpcError` where the mempool cannot be read.
 */
export async function findRestored(
  transactionId: string,
  lookupStart: string | undefined,
  call: Call,
): Promise<boolean> {
  if (await isInMempool(transactionId, call)) return true
  if (lookupStart === undefined) return false
  try {
    return (await searchChain(transactionId, lookupStart, call)).found
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}
