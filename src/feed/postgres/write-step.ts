import { ChainError } from '../../errors/chain-error.js'
import type { TransferTransaction } from '../../streams/transfers/transfer.js'
import { netOf } from '../../streams/transfers/extract.js'
import type { FeedStep } from '../sink.js'
import { quote, transferChannel } from './schema.js'
import { inTransaction, type Query } from './sql-session.js'
import { clearAddresses, insertTransfers, undoAbove } from './transfer-rows.js'

/** Where a step is written. */
export interface StepContext {
  readonly schema: string
  readonly network: string
  readonly watch: 'table' | 'given'
  /** The stored cursor that the step follows; null for the first one. */
  readonly previous: string | null
}

/**
 * Stores a step in one transaction. The cursor is replaced first: its row lock orders writers, and only the holder of the stored
 * cursor gets past it. Resolves to those of `added` that were deleted in the meantime.
 */
export function writeStep(query: Query, context: StepContext, step: FeedStep): Promise<readonly string[]> {
  const { schema, network } = context
  return inTransaction(query, async () => {
    await replaceCursor(query, context, step)
    if (step.rollback !== null) await undo(query, context, step.rollback.blueScore)
    const unwanted = await activate(query, context, step)
    await unwatch(query, context, step.removed)
    const transactions = withoutAddresses(step.transactions, unwanted)
    if (transactions.length > 0) await insertTransfers(query, schema, network, transactions)
    if (transactions.length > 0 || step.rollback !== null)
      await query("select pg_notify($1, '')", [transferChannel(schema)])
    return unwanted
  })
}

async function replaceCursor(query: Query, { schema, network, previous }: StepContext, step: FeedStep): Promise<void> {
  const values = [network, step.cursor, String(step.blueScore), String(step.isLive)]
  const table = `${quote(schema)}.cursor`
  const rows =
    previous === null
      ? await query(
          `insert into ${table} (network, value, blue_score, is_live)
            values ($1, $2, $3::text::bigint, $4::text::boolean) on conflict do nothing returning 1`,
          values,
        )
      : await query(
          `update ${table} set value = $2, blue_score = $3::text::bigint, is_live = $4::text::boolean, updated_at = now()
            where network = $1 and value = $5 returning 1`,
          [...values, previous],
        )
  if (rows.length === 0) throw takenOver()
}

export const takenOver = (): ChainError<'taken-over'> =>
  new ChainError('Another instance has delivered in the meantime', {
    code: 'taken-over',
    hint: 'Nothing was stored. Start the feed again: it waits until the other instance ends.',
  })

/** The addresses whose opening credits are undone have new ones in the same step, at the fork point. */
async function undo(query: Query, { schema, network }: StepContext, blueScore: bigint): Promise<void> {
  await undoAbove(query, schema, network, blueScore)
  await query(
    `update ${quote(schema)}.watched_address set opened_blue_score = $2::text::bigint
      where network = $1 and opened_blue_score > $2::text::bigint`,
    [network, String(blueScore)],
  )
}

/** Marks added addresses; resolves to those that were deleted since they were requested. */
async function activate(
  query: Query,
  { schema, network, watch }: StepContext,
  { added, addedAfter }: FeedStep,
): Promise<readonly string[]> {
  if (added.length === 0 || addedAfter === null) return []
  const values = [network, added, String(addedAfter)]
  const table = `${quote(schema)}.watched_address`
  const rows = await query(
    watch === 'table'
      ? `update ${table} set opened_blue_score = $3::text::bigint
          where network = $1 and address = any($2::text[]) returning address`
      : `insert into ${table} (network, address, opened_blue_score)
          select $1, address, $3::text::bigint from unnest($2::text[]) as r (address)
          on conflict (network, address) do update set opened_blue_score = excluded.opened_blue_score, error = null
          returning address`,
    values,
  )
  await clearAddresses(query, schema, network, added)
  const known = new Set(rows.map(({ address }) => address))
  return added.filter((address) => !known.has(address))
}

/** The requests of other programs were deletions of rows already. */
async function unwatch(
  query: Query,
  { schema, network, watch }: StepContext,
  removed: readonly string[],
): Promise<void> {
  if (removed.length === 0) return
  const tables = watch === 'table' ? ['unwatched_address'] : ['watched_address', 'unwatched_address']
  for (const table of tables)
    await query(`delete from ${quote(schema)}.${table} where network = $1 and address = any($2::text[])`, [
      network,
      removed,
    ])
}

function withoutAddresses(
  transactions: readonly TransferTransaction[],
  unwanted: readonly string[],
): readonly TransferTransaction[] {
  if (unwanted.length === 0) return transactions
  const left = new Set(unwanted)
  return transactions.flatMap((transaction) => {
    const transfers = transaction.transfers.filter(({ address }) => !left.has(address))
    return transfers.length === 0 ? [] : [{ ...transaction, transfers, net: netOf(transfers) }]
  })
}
