import { invalidArgument } from '../../errors/chain-error.js'
import { type FeedStep, takenOver } from '../sink.js'
import {
  quote,
  textOf,
  type Query,
  type SqlSession,
  type SqlValue,
  runStatement,
  type Bind,
} from '../../sql/session.js'
import { transferChannel } from './schema.js'
import {
  addRows,
  clearAddresses,
  giveNumbers,
  nextSequence,
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
 * Stores a step in one transaction, or rejects with `ChainError` `taken-over`. Resolves to addresses that are no longer
 * wanted. A step that only adds transfers is one statement, because each round trip costs as much as tens of rows.
 * `watched_address` comes before `ended_watch`, as in statements of programs and their triggers: otherwise a program
 * that truncates it would wait for the step, and the step for the program. `beside` writes in the same transaction.
 */
export async function writeStep(
  session: Pick<SqlSession, 'run' | 'transaction'>,
  context: StepContext,
  step: FeedStep,
  beside?: (query: Query) => Promise<void>,
): Promise<readonly string[]> {
  const rows = toRows(step.transactions)
  const isAppend = step.rollback === null && step.added.length + step.removed.length === 0
  if (isAppend && rows.length <= CHUNK && beside === undefined) {
    await session.run((query) => append(query, context, step, rows))
    return []
  }
  return session.transaction(async (query) => {
    await lockCursor(query, context)
    const unopened = await activate(query, context, step)
    if (step.rollback !== null) await requireRows(query, context, step.rollback.blueScore)
    if (step.rollback !== null) await lowerOpenings(query, context, step.rollback.blueScore)
    await unwatch(query, context, step)
    const ended = step.rollback === null ? [] : await undo(query, context, step.rollback.blueScore)
    const unwanted = [...unopened, ...ended]
    await append(query, context, step, unwanted.length === 0 ? rows : withoutAddresses(rows, unwanted))
    await beside?.(query)
    return unwanted
  })
}

/** Rows that were pruned cannot be undone: as `rewindTo` would have it, for no reorg is as deep. */
async function requireRows(query: Query, { schema, network }: StepContext, blueScore: bigint): Promise<void> {
  const text = `select pruned_blue_score::text as score from ${quote(schema)}.cursor
    where network = $1 and pruned_blue_score > $2::text::bigint`
  const [row] = await query(text, [network, String(blueScore)])
  if (row === undefined) return
  const hint = `Pass a block or a blue score from ${textOf(row, 'score')} on.`
  throw invalidArgument('rewindTo', '"rewindTo" is below rows that were pruned', hint)
}

/** The row lock of the cursor orders writers. Without a cursor, the first one that inserts it wins. */
export async function lockCursor(query: Query, { schema, network, previous }: StepContext): Promise<void> {
  if (previous === null) return
  const text = `select 1 from ${quote(schema)}.cursor where network = $1 and value = $2 for update`
  if ((await query(text, [network, previous])).length === 0) throw takenOver()
}

/**
 * Replaces the cursor and adds rows: both by one statement, which does nothing where the cursor is not the one that the
 * step follows.
 */
async function append(query: Query, context: StepContext, step: FeedStep, rows: readonly TransferRow[]): Promise<void> {
  const first = rows.slice(0, CHUNK)
  const moved = await runStatement(query, (bind) => {
    const parts = [`moved as (${moveCursor(bind, context, step, first.length)})`]
    if (rows.length > 0) parts.push(...addRows(bind, context, first))
    const isChange = rows.length > 0 || step.rollback !== null
    const result = isChange ? `pg_notify(${bind(transferChannel(context.schema))}, '')` : '1'
    return `with ${parts.join(', ')} select ${result} from moved`
  })
  if (moved.length === 0) throw takenOver()
  for (let from = CHUNK; from < rows.length; from += CHUNK) {
    const chunk = rows.slice(from, from + CHUNK) // in the same transaction
    await runStatement(query, (bind) => {
      const parts = [giveNumbers(bind, context, chunk.length), ...addRows(bind, context, chunk)]
      return `with ${parts.join(', ')} select 1`
    })
  }
}

/** Moves the cursor, and gives numbers to rows: the last one is returned. */
function moveCursor(bind: Bind, { schema, network, previous }: StepContext, step: FeedStep, count: number): string {
  const table = `${quote(schema)}.cursor`
  const [value, of] = [bind(step.cursor), bind(network)]
  const blueScore = `${bind(String(step.blueScore))}::text::bigint`
  const isLive = `${bind(String(step.isLive))}::text::boolean`
  return previous === null
    ? `insert into ${table} (network, value, blue_score, is_live, sequence)
        values (${of}, ${value}, ${blueScore}, ${isLive}, ${nextSequence('0', String(count))})
        on conflict do nothing returning sequence`
    : `update ${table} set value = ${value}, blue_score = ${blueScore}, is_live = ${isLive}, updated_at = now(),
          sequence = ${nextSequence('sequence', String(count))}
        where network = ${of} and value = ${bind(previous)} returning sequence`
}

/** The addresses whose opening credits are undone have new ones in the same step, at the fork point. */
async function lowerOpenings(query: Query, { schema, network }: StepContext, blueScore: bigint): Promise<void> {
  await query(
    `update ${quote(schema)}.watched_address set opened_blue_score = $2::text::bigint
      where network = $1 and opened_blue_score > $2::text::bigint`,
    [network, String(blueScore)],
  )
}

/**
 * Removes the rows above a blue score. Resolves to addresses that programs have deleted since the step was read: the
 * new branch is not known to be complete for them, so their rows stay as of the position before.
 */
async function undo(query: Query, context: StepContext, blueScore: bigint): Promise<readonly string[]> {
  const { schema, network, watch } = context
  const s = quote(schema)
  const rows =
    watch === 'given' ? [] : await query(`delete from ${s}.ended_watch where network = $1 returning address`, [network])
  const ended = rows.map((row) => textOf(row, 'address'))
  await keepRows(query, context, ended)
  await undoAbove(query, schema, network, blueScore)
  return ended
}

/** Marks added addresses; resolves to those whose rows are not those that were requested. */
async function activate(
  query: Query,
  { schema, network, watch }: StepContext,
  { added, addedAfter, ids }: FeedStep,
): Promise<readonly string[]> {
  if (added.length === 0 || addedAfter === null) return []
  const s = quote(schema)
  const rows = await runStatement(query, (bind) => {
    const [of, addresses, after] = [bind(network), bind(added), `${bind(String(addedAfter))}::text::bigint`]
    return watch === 'table'
      ? `update ${s}.watched_address as w set opened_blue_score = ${after}
          from unnest(${addresses}::text[], ${bind(added.map((address) => ids.get(address) ?? null))}::text[])
            as r (address, generation)
          where w.network = ${of} and w.address = r.address and w.generation = r.generation::bigint returning w.address`
      : `insert into ${s}.watched_address (network, address, opened_blue_score)
          select ${of}, address, ${after} from unnest(${addresses}::text[]) as r (address)
          on conflict (network, address) do update set opened_blue_score = excluded.opened_blue_score, error = null
          returning address`
  })
  const known = new Set(rows.map((row) => textOf(row, 'address')))
  await clearAddresses(query, schema, network, [...known])
  return added.filter((address) => !known.has(address))
}

/** The requests of other programs were deletions of rows already. */
async function unwatch(query: Query, context: StepContext, { removed, ids }: FeedStep): Promise<void> {
  if (removed.length === 0) return
  const { schema, network, watch } = context
  const s = quote(schema)
  await runStatement(query, (bind) => {
    const [of, addresses] = [bind(network), bind(removed)]
    return watch === 'table'
      ? `delete from ${s}.ended_watch as e
          using unnest(${addresses}::text[], ${bind(removed.map((address) => ids.get(address) ?? null))}::text[])
            as r (address, generation)
          where e.network = ${of} and e.address = r.address and e.generation <= r.generation::bigint`
      : `with deleted as (
            delete from ${s}.watched_address where network = ${of} and address = any(${addresses}::text[])
            returning network, address, opened_blue_score
          )
          insert into ${s}.unwatched_address (network, address)
            select network, address from deleted where opened_blue_score is not null on conflict do nothing`
  })
  await keepRows(query, context, removed)
}

/** Rows of addresses that no longer count are right up to the position before the step. */
async function keepRows(query: Query, tables: Tables, addresses: readonly string[]): Promise<void> {
  if (addresses.length > 0) await keepUntilCursor(query, tables, 'u.address = any($2::text[])', [addresses])
}

/**
 * Rows of addresses that do not count at the stored position are right up to there: those that programs have deleted
 * while no feed ran, whose removal no step has stored yet. Before the first step of a session, for the steps leave them
 * out.
 */
export const keepUncounted = (query: Query, tables: Tables): Promise<void> =>
  keepUntilCursor(
    query,
    tables,
    `not exists (select from ${quote(tables.schema)}.watched_address as w
      where w.network = u.network and w.address = u.address and w.opened_blue_score is not null)`,
  )

async function keepUntilCursor(
  query: Query,
  { schema, network }: Tables,
  condition: string,
  values: readonly SqlValue[] = [],
): Promise<void> {
  const s = quote(schema)
  await query(
    `update ${s}.unwatched_address as u set valid_until_blue_score = c.blue_score
      from ${s}.cursor as c
      where u.network = $1 and c.network = $1 and ${condition} and u.valid_until_blue_score is null`,
    [network, ...values],
  )
}

function withoutAddresses(rows: readonly TransferRow[], unwanted: readonly string[]): readonly TransferRow[] {
  const left = new Set(unwanted)
  return rows.filter(({ address }) => !left.has(address))
}
