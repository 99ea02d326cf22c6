import { deferIteration } from '../../loading/lazy-methods.js'
import { pruneRows, putRows, rollbackRows, type ContractRow, type ContractRows } from '../../model/contracts/rows.js'
import type { OwnersByFields } from '../../model/tokens/owner.js'
import { newTransfers, type TokenTransfer } from '../../model/tokens/transfers.js'
import type { ContractBatch, ContractBatches } from '../../streams/contracts/follow-contracts.js'

/**
 * One step along the chain: store `cursor` together with rows and transfers. A rollback deletes transfers whose
 * `cause.blueScore` is above its own.
 */
export interface TokenBatch extends ContractBatch {
  /** What the owners have received and spent, each once. */
  readonly transfers: readonly TokenTransfer[]
}

/** Batches of transfers, pulled one by one. `return()` and `signal` release everything at once. */
export type TokenBatches = AsyncIterableIterator<TokenBatch, undefined, undefined>

/** The batches of some tokens with the transfers of owners, after the rows that were stored with a cursor. */
export const tokenHistory = (
  batches: ContractBatches,
  stored: readonly ContractRow[],
  owners: OwnersByFields,
): TokenBatches =>
  deferIteration(() => {
    const transfers = withTransfers(batches, stored, owners)
    return Promise.resolve({
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => transfers.next(),
      return: async () => {
        await batches.return?.() // also while the next batch is awaited
        return transfers.return(undefined)
      },
    })
  })

async function* withTransfers(
  batches: ContractBatches,
  stored: readonly ContractRow[],
  owners: OwnersByFields,
): AsyncGenerator<TokenBatch, undefined, undefined> {
  let rows: ContractRows = putRows(new Map<never, ContractRow>(), stored)
  for await (const batch of batches) {
    if (batch.rollback !== null) rows = rollbackRows(rows, batch.rollback.blueScore, batch.rollback.daaScore)
    const transfers = newTransfers(rows, batch.rows, owners)
    rows = pruneRows(putRows(rows, batch.rows), highestOf(batch.rows))
    yield { ...batch, transfers }
  }
  return undefined
}

const highestOf = (rows: readonly ContractRow[]): bigint =>
  rows.reduce((highest, { createdBy, spentBy }) => {
    const score = (spentBy ?? createdBy)?.blueScore ?? 0n
    return score > highest ? score : highest
  }, 0n)
