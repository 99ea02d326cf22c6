import type { FeedStep } from '../sink.js'
import { takenOver } from '../taken-over.js'
import { quote, transferChannel } from './schema.js'
import { inTransaction, type Query } from './sql-session.js'
import { runStatement, type Bind } from './statement.js'
import {
  addToBalances,
  clearAddresses,
  insertRows,
  toRows,
  undoAbove,
  type Tables,
  type TransferRow,
} from './transfer-rows.js'

/** Where a step is written. */
export interface StepContext extends Tables {
  readonly watch: 'table' | 'given'
  /** The stored cursor that the step follows; null for the first one. */
  readonly previous: string | null
}

/** Rows of one statement: their arrays take a few MB. */
const CHUNK = 10_000

/**
 * Stores a step in one transaction, or rejects with `ChainError` `taken-over`. Resolves to those of `added` that were deleted in the
 * meantime. A step that only adds transfers is one statement, because each round trip costs as much as tens of rows.
 */
export async function writeStep(query: Query, context: StepContext, step: FeedStep): Promise<readonly string[]> {
  const rows = toRows(step.transactions)
  if (step.rollback === null && step.added.length + step.removed.length === 0 && rows.length <= CHUNK) {
    await append(query, context, step, rows)
    return []
  }
  return inTransaction(query, async () => {
    await lockCursor(query, context)
    if (step.rollback !== null) await undo(query, context, step.rollback.blueScore)
    const unwanted = await activate(query, context, step)
    await unwatch(query, context, step.removed)
    await append(query, context, step, unwanted.length === 0 ? rows : withoutAddresses(rows, unwanted))
    return unwanted
  })
}

/** The row lock of the cursor orders writers. Without a cursor, the first one that inserts it wins. */
async function lockCursor(query: Query, { schema, network, previous }: StepContext): Promise<void> {
  if (previous === null) return
  const text = `select 1 from ${quote(schema)}.cursor where network = $1 and value = $2 for update`
  if ((await query(text, [network, previous])).length === 0) throw takenOver()
}

/** Replaces the cursor and adds rows: both by one statement, which does nothing where the cursor is not the one that the step follows. */
async function append(query: Query, context: StepContext, step: FeedStep, rows: readonly TransferRow[]): Promise<void> {
  for (let from = CHUNK; from < rows.length; from += CHUNK)
    // in a transaction that has the lock
    await runStatement(query, (bind) => insertRows(bind, context, rows.slice(from - CHUNK, from)))
  const last = rows.slice(Math.max(0, Math.ceil(rows.length / CHUNK) - 1) * CHUNK)
  const isMoved = 'exists (select from moved)'
  const moved = await runStatement(query, (bind) => {
    const parts = [`moved as (${moveCursor(bind, context, step)})`]
    if (rows.length > 0) {
      parts.push(`inserted as (${insertRows(bind, context, last, isMoved)})`)
      parts.push(`changed as (${addToBalances(bind, context, rows, isMoved)})`)
    }
    const isChange = rows.length > 0 || step.rollback !== null
    const result = isChange ? `pg_notify(${bind(transferChannel(context.schema))}, '')` : '1'
    return `with ${parts.join(', ')} select ${result} from moved`
  })
  if (moved.length === 0) throw takenOver()
}

function moveCursor(bind: Bind, { schema, network, previous }: StepContext, step: FeedStep): string {
  const table = `${quote(schema)}.cursor`
  const [value, of] = [bind(step.cursor), bind(network)]
  const blueScore = `${bind(String(step.blueScore))}::text::bigint`
  const isLive = `${bind(String(step.isLive))}::text::boolean`
  return previous === null
    ? `insert into ${table} (network, value, blue_score, is_live)
        values (${of}, ${value}, ${blueScore}, ${isLive}) on conflict do nothing returning 1`
    : `update ${table} set value = ${value}, blue_score = ${blueScore}, is_live = ${isLive}, updated_at = now()
        where network = ${of} and value = ${bind(previous)} returning 1`
}

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

function withoutAddresses(rows: readonly TransferRow[], unwanted: readonly string[]): readonly TransferRow[] {
  const left = new Set(unwanted)
  return rows.filter(({ address }) => !left.has(address))
}
