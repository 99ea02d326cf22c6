import { quote } from '../../../src/sql/session.js'
import type { Devnode, ExpectedTransfer } from '../../../src/devnode/index.js'

/** Runs one statement against the database of a sink. */
export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/**
 * Deletes all rows of a schema, where it exists. The same tables for several tests: to make them takes 0.2 s of the
 * processor.
 */
export async function emptyTables(sql: Sql, schema: string): Promise<void> {
  await sql(`do $$ declare found text; begin
    perform set_config('session_replication_role', 'replica', true); -- without triggers
    for found in select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname = '${schema}' and tablename <> 'migration'
    loop execute 'delete from ' || found; end loop; end $$`)
}

/**
 * What differs between the tables and the node, in words: nothing for right tables. `genesis` is the first balance of
 * each address.
 */
export async function faultsOf(
  sql: Sql,
  devnode: Devnode,
  watched: readonly { readonly address: string; readonly genesis: bigint }[],
  schema = 'vue_chain',
): Promise<readonly string[]> {
  const s = quote(schema)
  const rows = await sql(`select direction, outpoint_transaction_id || ':' || outpoint_index::text as outpoint, address,
    amount::text, accepting_block_hash, accepting_blue_score::text as score, is_opening from ${s}.transfer`)
  const addresses = new Set(watched.map(({ address }) => address))
  // also of addresses that are not watched any more: their rows stay
  const delivered = rows.map(({ address }) => String(address))
  const expected = new Map(
    devnode.expected
      .transfers([...new Set([...addresses, ...delivered])])
      .map((one) => [`${one.direction}:${one.outpoint.transactionId}:${one.outpoint.index}`, one]),
  )
  const unwatched = await sql(`select address, valid_until_blue_score::text as score from ${s}.unwatched_address
    where valid_until_blue_score is not null`)
  const validUntil = new Map(unwatched.map(({ address, score }) => [address, BigInt(String(score))]))
  /** Rows that a reorg has passed when their address was not watched any more. */
  const isPassed = ({ address, score }: Readonly<Record<string, unknown>>): boolean => {
    const until = validUntil.get(address)
    return until !== undefined && BigInt(String(score)) > until
  }
  const keys = new Set(rows.map(({ direction, outpoint }) => `${String(direction)}:${String(outpoint)}`))
  const wrong = rows.filter((row) => {
    const one = expected.get(keyOf(row))
    if (row.is_opening === true || isPassed(row)) return false
    return one?.acceptingBlockHash !== row.accepting_block_hash || String(one?.amount) !== row.amount
  })
  const opened = await sql(
    `select address, coalesce(opened_blue_score, 0)::text as score from ${s}.watched_address where address = any($1)`,
    [[...addresses]],
  )
  const scores = new Map(opened.map(({ address, score }) => [address, BigInt(String(score))]))
  const missing = [...expected]
    .filter(([, { address }]) => address !== undefined && addresses.has(address))
    // older ones are opening credits
    .filter(([key, one]) => !keys.has(key) && one.acceptingBlueScore > (scores.get(one.address) ?? 0n))
    .map(([key]) => key)
  const stored = await sql(`select address, amount::text from ${s}.balance`)
  const sums = await sql(`select address, sum(case direction when 'credit' then amount else -amount end)::text as amount
    from ${s}.transfer group by address`)
  const balances = new Map(stored.map(({ address, amount }) => [address, String(amount)]))
  const totals = new Map(sums.map(({ address, amount }) => [address, String(amount)]))
  const unbalanced = watched.flatMap(({ address, genesis }) => {
    const actual = devnode.expected
      .transfers([address])
      .reduce((sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount), genesis)
    const text = `${balances.get(address) ?? '0'} in balance, ${totals.get(address) ?? '0'} in rows`
    return text === `${actual} in balance, ${actual} in rows` ? [] : [`${address} has ${text}, ${actual} on the chain`]
  })
  return [
    ...wrong.map((row) => `wrong row ${describeRow(row)}, not ${describeTransfer(expected.get(keyOf(row)))}`),
    ...missing.map((key) => `missing row ${key}`),
    ...unbalanced,
  ]
}

/** The address of a row with what is compared. */
const describeRow = (row: Readonly<Record<string, unknown>>): string =>
  `${keyOf(row)} of ${String(row.address)}: ${String(row.amount)} in ${String(row.accepting_block_hash)} at ${String(row.score)}`

const describeTransfer = (one: ExpectedTransfer | undefined): string =>
  one === undefined ? 'on the chain' : `${one.amount} in ${one.acceptingBlockHash} at ${one.acceptingBlueScore}`

const keyOf = ({ direction, outpoint }: Readonly<Record<string, unknown>>): string =>
  `${String(direction)}:${String(outpoint)}`
