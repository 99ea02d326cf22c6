import type { RpcBlock, RpcTransaction } from '../../node/messages/records.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import { malformed } from '../../node/port.js'
import { readBlock } from './header.js'
import type { ChainTransaction } from './batch.js'
import { loadContractDetails } from './load-contract-details.js'
import type { ChainSegment, FollowedTransactions, ScoredBlock } from './page.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'
import { toUnresolvedTransaction } from './to-transaction.js'

const METHOD = 'getVirtualChainFromBlock'

/**
 * The first `limit` chain blocks after a block, with the ids of what they accepted; for `full` also the transactions,
 * from the merged blocks and without the spent outputs. For nodes below 1.1, and for a block that accepts a script
 * without an address: a node of 1.1 or later does not return it otherwise.
 */
export async function readV1(
  scope: Pick<FollowScope, 'call'>,
  startHash: string,
  limit: number,
  { detail, addressOf }: Pick<FollowSettings, 'detail' | 'addressOf'>,
  minConfirmationCount?: bigint,
): Promise<ChainSegment<FollowedTransactions>> {
  const response = await scope.call(METHOD, { startHash, includeAcceptedTransactionIds: true, minConfirmationCount })
  const accepted = new Map(
    response.acceptedTransactionIds.map((block) => [block.acceptingBlockHash, block.acceptedTransactionIds]),
  )
  const hashes = response.addedChainBlockHashes.slice(0, limit)
  const blocks = hashes.map(async (hash): Promise<ScoredBlock<FollowedTransactions>> => {
    const ids = accepted.get(hash)
    if (ids === undefined) throw malformed(METHOD, 'a block has no accepted transactions')
    const { verboseData, ...header } = await readBlock(scope, hash)
    return {
      ...header,
      transactions:
        detail === 'ids' ? new TransactionIds(ids) : await readFull(scope, verboseData, ids, { detail, addressOf }),
    }
  })
  return {
    removed: response.removedChainBlockHashes,
    blocks: await Promise.all(blocks),
    isCut: response.addedChainBlockHashes.length > limit,
  }
}

/** The accepted transactions of a chain block, found in the blocks it merged. */
async function readFull(
  { call }: Pick<FollowScope, 'call'>,
  { mergeSetBluesHashes, mergeSetRedsHashes }: NonNullable<RpcBlock['verboseData']>,
  ids: readonly string[],
  { detail, addressOf }: Pick<FollowSettings, 'detail' | 'addressOf'>,
): Promise<ChainTransaction[]> {
  const found = new Map<string, RpcTransaction>()
  for (const hash of [...mergeSetBluesHashes, ...mergeSetRedsHashes]) {
    const { block } = await call('getBlock', { hash, includeTransactions: true })
    if (block.header.hash !== hash) throw malformed('getBlock', 'another block was returned')
    for (const [at, id] of (block.verboseData?.transactionIds ?? []).entries()) {
      const transaction = block.transactions[at]
      if (transaction !== undefined && !found.has(id)) found.set(id, transaction)
    }
  }
  const extend = detail === 'contracts' ? (await loadContractDetails()).withContractDetails : undefined
  return ids.map((id) => {
    const record = found.get(id)
    if (record === undefined) throw malformed('getBlock', 'an accepted transaction is in no merged block')
    const transaction = toUnresolvedTransaction(id, record, addressOf)
    return extend?.(transaction, record) ?? transaction
  })
}
