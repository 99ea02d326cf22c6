import { loadavg } from 'node:os'
import pg from 'pg'
import { filter, firstValueFrom, interval } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import { createFeed } from '../src/feed/create-feed.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf } from '../test/feed/support/steps.js'
import { runInChildProcess, sendToParent } from './lib/child-process.js'
import { median } from './lib/median.js'
import { prepareFeed } from './lib/watched-rows.js'
import type { BenchRow } from './row.js'
import { createSyntheticChain } from './wire/synthetic-chain.js'

/**
 * Stored transfers: `FEED_ROWS=10000000 npm run bench -- feed-rows --time-limit 3600` takes 10 GB of disk and half an
 * hour.
 */
const ROWS = Number(process.env.FEED_ROWS ?? 200_000)
/** Rows of one address, of which each second one is a debit. */
const ROWS_AN_ADDRESS = 10
const ADDRESSES = ROWS / ROWS_AN_ADDRESS
/** Rows of one blue score. */
const ROWS_A_BLOCK = 100
const NETWORK = 'testnet-10'
const CHUNK = 100_000
const REPEATS = 21

/** The documented statements over many rows, the disk of a transfer with its indexes, and a restart beside them. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  try {
    const pool = cluster.pool()
    await fill(pool)
    const disk = await measureDisk(pool)
    return [disk, ...(await measureStatements(pool)), ...(await measureRestart(cluster.port))]
  } finally {
    await cluster.stop()
  }
}

/** Writes addresses, a position and rows, which the server may lose in a power failure: their shape matters. */
async function fill(pool: pg.Pool): Promise<void> {
  for (const setting of ['fsync = off', 'full_page_writes = off', "max_wal_size = '4GB'"])
    await pool.query(`alter system set ${setting}`)
  await pool.query('select pg_reload_conf()')
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => addressOf(index))
  await prepareFeed(pool, { network: NETWORK, addresses, blueScore: ROWS / ROWS_A_BLOCK, openedAt: 0 })
  await pool.query(NUMBERS)
  await pool.query('analyze vue_chain.address')
  for (let from = 0; from < ROWS; from += CHUNK) await pool.query(FILL, [from, Math.min(from + CHUNK, ROWS) - 1])
  await pool.query(BALANCES)
  await pool.query('vacuum analyze')
}

const NUMBERS = `insert into vue_chain.address (network, address)
  select network, address from vue_chain.watched_address order by address`

/**
 * Credits, each with its debit, as long as real ones, in the order of a feed; those of an address are spread over all
 * blocks.
 */
const FILL = `insert into vue_chain.transfer_row (network_id, is_debit, outpoint_transaction_id, outpoint_index, address_id,
    amount, transaction_id, fee, accepting_block_hash, accepting_blue_score, accepting_daa_score, accepted_at, is_coinbase,
    is_opening, is_change, is_internal, covenant_id, counterparties, sequence)
  select 1, i % 2 = 1, sha256((i / 2)::text::bytea), 0, a.id, 100000000,
    case i % 2 when 0 then '' else sha256((i / 2 + 1)::text::bytea) end, 3000,
    sha256((i / ${ROWS_A_BLOCK})::text::bytea), i / ${ROWS_A_BLOCK}, i / ${ROWS_A_BLOCK}, now(), false,
    false, false, false, '', vue_chain.pack_addresses(split_part(a.address, ':', 2)), 1700000000000000 + i
  from generate_series($1::bigint, $2::bigint) as i
  join vue_chain.address as a on a.id = 1 + (i / 2) * 2654435761 % ${ADDRESSES}`

const BALANCES = `insert into vue_chain.balance_row
  select address_id, sum(case when is_debit then -amount else amount end) from vue_chain.transfer_row group by address_id`

async function measureDisk(pool: pg.Pool): Promise<BenchRow> {
  const { rows } = await pool.query<{ table: string; indexes: string; addresses: string }>(
    `select pg_table_size('vue_chain.transfer_row') as table, pg_indexes_size('vue_chain.transfer_row') as indexes,
      pg_total_relation_size('vue_chain.address') as addresses`,
  )
  const [row] = rows
  const [table = 0, indexes = 0, addresses = 0] = [row?.table, row?.indexes, row?.addresses].map(
    (bytes) => Number(bytes) / ROWS,
  )
  const bytes = table + indexes + addresses
  return {
    what: 'the disk that a transfer takes, with indexes and its share of its address',
    against: '400 bytes',
    ratio: bytes / 400,
    goal: '≤ 1 ×',
    met: bytes <= 400,
    detail: `${table.toFixed(0)} bytes in the table, ${indexes.toFixed(0)} in its indexes, ${addresses.toFixed(0)} of an address with ${ROWS_AN_ADDRESS} rows, over ${ROWS} rows`,
  }
}

const SUM = "sum(case t.direction when 'credit' then t.amount else -t.amount end)"
const DIFFERENCE = `select b.network, b.address, b.amount from vue_chain.balance b
  left join vue_chain.transfer t using (network, address) where b.network = '${NETWORK}' and b.address = $1
  group by b.network, b.address, b.amount having b.amount <> coalesce(${SUM}, 0)`
const DIFFERENCES = `select b.network, b.address, b.amount from vue_chain.balance b
  left join (select address_id, ${SUM} as amount from vue_chain.transfer t group by address_id) t using (address_id)
  where b.amount <> coalesce(t.amount, 0)`

async function measureStatements(pool: pg.Pool): Promise<BenchRow[]> {
  const found = (
    await pool.query<{ address: string }>('select address from vue_chain.balance offset $1 limit 1', [
      Math.floor(ADDRESSES / 2),
    ])
  ).rows
  const address = found[0]?.address
  const newest = `select accepted_at, direction, (amount / 1e8)::numeric(20, 8) as kas, transaction_id
    from vue_chain.transfer
    where address_id = (select id from vue_chain.address where network = '${NETWORK}' and address = $1)
    order by sequence desc limit 50`
  const plain = newest.replace(/address_id = \(.*\)/, `network = '${NETWORK}' and address = $1`)
  return [
    toRow('what an address received and spent', await medianOf(pool, newest, [address], REPEATS), 1),
    toRow('the same, by network and address', await medianOf(pool, plain, [address], REPEATS), 1),
    toRow('the balance check of an address', await medianOf(pool, DIFFERENCE, [address], REPEATS), 1),
    toRow('the balance check of all addresses', await medianOf(pool, DIFFERENCES, [], 1), 10_000),
  ]
}

/** Ms that the server takes for a statement. */
async function medianOf(pool: pg.Pool, text: string, values: unknown[], repeats: number): Promise<number> {
  const times: number[] = []
  const client = await pool.connect()
  await client.query("set work_mem = '512MB'")
  for (let repeat = 0; repeat < repeats; repeat++) {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { 'Execution Time': number }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    )
    times.push(rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? NaN)
  }
  client.release(true)
  return median(times)
}

const toRow = (what: string, ms: number, goal: number): BenchRow => ({
  what: `${what}, over ${ROWS} transfers`,
  against: `${goal} ms`,
  ratio: ms / goal,
  goal: '≤ 1 ×',
  met: ms <= goal,
  detail: `${ms.toFixed(2)} ms in the server; load ${loadavg()[0]?.toFixed(1)}`,
})

/** The most time, in s, and memory, in MB, of a restart. */
const [RESTART_LIMIT, MEMORY_LIMIT] = [15, 300]

/** From the start of a process until its feed has stored a block of the node. */
async function measureRestart(port: number): Promise<BenchRow[]> {
  const start = performance.now()
  let seconds = NaN
  const onMessage = (): void => void (seconds = (performance.now() - start) / 1_000)
  const task = { module: import.meta.url, name: 'untilLive', args: [port], onMessage }
  const { peak, watched } = await runInChildProcess<{ peak: number; watched: number }>(task)
  const what = `a restart with ${ADDRESSES} addresses and ${ROWS} stored transfers, until it is live`
  const isWhole = watched === ADDRESSES
  return [
    {
      what,
      against: `${RESTART_LIMIT} s`,
      ratio: seconds / RESTART_LIMIT,
      goal: '≤ 1 ×',
      met: isWhole && seconds <= RESTART_LIMIT,
      detail: `${seconds.toFixed(1)} s, the start of Node included; load ${loadavg()[0]?.toFixed(1)}`,
    },
    {
      what: `the memory of that process`,
      against: `${MEMORY_LIMIT} MB`,
      ratio: peak / MEMORY_LIMIT,
      goal: '≤ 1 ×',
      met: isWhole && peak <= MEMORY_LIMIT,
      detail: `${peak.toFixed(0)} MB at its peak, Node and the simulated node included`,
    },
  ]
}

/** Runs in a process of its own, with a node that mines ten blocks a second. */
export async function untilLive(port: number): Promise<{ readonly peak: number; readonly watched: number }> {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  const chain = createSyntheticChain(ROWS / ROWS_A_BLOCK, { recipient: () => addressOf(0) })
  const engine = createChainEngine({ network: NETWORK, url: 'ws://memory', heartbeat: false, ports: chain })
  await engine.connection.connect()
  const feed = createFeed({ engine, watch: 'table', minConfirmations: 0, sink: createPostgresSink({ pool }) })
  const stopped = new AbortController()
  const done = feed.run({ signal: stopped.signal })
  const mining = interval(100).subscribe(() => chain.grow())
  const isLive$ = feed.status$.pipe(
    filter(({ phase, isLive, batches }) => phase === 'running' && isLive && batches > 0),
  )
  const { watched } = await firstValueFrom(isLive$)
  sendToParent('live')
  const peak = (process.resourceUsage().maxRSS * 1_024) / 1e6
  mining.unsubscribe()
  stopped.abort()
  await done
  await engine.dispose()
  await pool.end()
  return { peak, watched }
}
