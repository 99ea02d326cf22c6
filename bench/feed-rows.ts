import type pg from 'pg'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import type { BenchRow } from './row.js'

/** Stored transfers: `FEED_ROWS=10000000 npm run bench -- feed-rows` takes some GB of disk and half an hour. */
const ROWS = Number(process.env.FEED_ROWS ?? 200_000)
/** Rows of one address, of which each second one is a debit. */
const ROWS_AN_ADDRESS = 10
const CHUNK = 100_000
const REPEATS = 21

/** The documented statements over many rows, and the disk that a transfer takes, with indexes. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  try {
    const pool = cluster.pool()
    const sink = createPostgresSink({ pool })
    const session = await sink.open({ network: 'testnet-10', watch: 'table', signal: new AbortController().signal })
    await session.close() // it has created the tables
    for (let from = 0; from < ROWS; from += CHUNK) await pool.query(FILL, [from, Math.min(from + CHUNK, ROWS) - 1])
    await pool.query(BALANCES)
    await pool.query('vacuum analyze')
    return [await measureDisk(pool), ...(await measureStatements(pool))]
  } finally {
    await cluster.stop()
  }
}

const ADDRESS = `'kaspatest:q' || left(encode(sha256((i / ${ROWS_AN_ADDRESS})::text::bytea), 'hex'), 61)`

/** Credits, each with its debit, as long as real ones. */
const FILL = `insert into vue_chain.transfer (network, direction, outpoint_transaction_id, outpoint_index, address, amount,
    transaction_id, accepting_block_hash, accepting_blue_score, accepting_daa_score, accepted_at, is_coinbase, is_opening,
    is_change, is_internal, counterparties, sequence)
  select 'testnet-10', case i % 2 when 0 then 'credit' else 'debit' end, encode(sha256((i / 2)::text::bytea), 'hex'), 0,
    ${ADDRESS}, 100000000, encode(sha256((i / 2 + i % 2)::text::bytea), 'hex'),
    encode(sha256((i / 100)::text::bytea), 'hex'), i / 100, i / 100, now(), false, false, false, false,
    array[${ADDRESS}], 1700000000000000 + i
  from generate_series($1::bigint, $2::bigint) as i`

const BALANCES = `insert into vue_chain.balance select network, address,
    sum(case direction when 'credit' then amount else -amount end) from vue_chain.transfer group by network, address`

async function measureDisk(pool: pg.Pool): Promise<BenchRow> {
  const { rows } = await pool.query<{ table: string; indexes: string }>(
    "select pg_table_size('vue_chain.transfer') as table, pg_indexes_size('vue_chain.transfer') as indexes",
  )
  const [table = 0, indexes = 0] = [rows[0]?.table, rows[0]?.indexes].map((bytes) => Number(bytes) / ROWS)
  return {
    what: 'the disk that a transfer takes, with indexes',
    against: '400 bytes',
    ratio: (table + indexes) / 400,
    goal: '≤ 1 ×',
    met: table + indexes <= 400,
    detail: `${table.toFixed(0)} bytes in the table, ${indexes.toFixed(0)} in its indexes, over ${ROWS} rows`,
  }
}

const SUM = "coalesce(sum(case t.direction when 'credit' then t.amount else -t.amount end), 0)"
const DIFFERENCES = (condition: string): string => `select b.network, b.address, b.amount from vue_chain.balance b
  left join vue_chain.transfer t using (network, address) ${condition}
  group by b.network, b.address having b.amount <> ${SUM}`

async function measureStatements(pool: pg.Pool): Promise<BenchRow[]> {
  const found = (
    await pool.query<{ address: string }>('select address from vue_chain.balance offset $1 limit 1', [
      Math.floor(ROWS / ROWS_AN_ADDRESS / 2),
    ])
  ).rows
  const address = found[0]?.address
  const newest = `select accepted_at, direction, (amount / 1e8)::numeric(20, 8) as kas, transaction_id
    from vue_chain.transfer where network = 'testnet-10' and address = $1 order by sequence desc limit 50`
  const one = DIFFERENCES("where b.network = 'testnet-10' and b.address = $1")
  return [
    toRow('what an address received and spent', await medianOf(pool, newest, [address], REPEATS), 1),
    toRow('the balance check of an address', await medianOf(pool, one, [address], REPEATS), 1),
    toRow('the balance check of all addresses', await medianOf(pool, DIFFERENCES(''), [], 1), 10_000),
  ]
}

/** Ms that the server takes for a statement. */
async function medianOf(pool: pg.Pool, text: string, values: unknown[], repeats: number): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const { rows } = await pool.query<{ 'QUERY PLAN': readonly { 'Execution Time': number }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    )
    times.push(rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? NaN)
  }
  return times.sort((a, b) => a - b)[Math.floor(repeats / 2)] ?? NaN
}

const toRow = (what: string, ms: number, goal: number): BenchRow => ({
  what: `${what}, over ${ROWS} transfers`,
  against: `${goal} ms`,
  ratio: ms / goal,
  goal: '≤ 1 ×',
  met: ms <= goal,
  detail: `${ms.toFixed(2)} ms in the server`,
})
