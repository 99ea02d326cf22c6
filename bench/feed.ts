import { createHash } from 'node:crypto'
import type { FeedStep } from '../src/feed/sink.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { encodeAddress } from '../src/model/address.js'
import { createWatchedAddresses } from '../src/streams/transfers/watched-addresses.js'
import type { TransferTransaction } from '../src/streams/transfers/transfer.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import type { BenchRow } from './row.js'

const STEPS = 100
const TRANSFERS = 1_000
const WATCHED = 1_000_000
const MEBIBYTE = 2 ** 20

/** The durable feed into a PostgreSQL of its own, with durable commits. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  try {
    const pool = cluster.pool()
    const rate = await measureTransfers(createPostgresSink({ pool, schema: 'rate' }))
    const sink = createPostgresSink({ pool, schema: 'watched' })
    await (await open(sink)).close() // creates the tables
    await pool.query(
      `insert into watched.watched_address (network, address, opened_blue_score)
        select 'testnet-10', address, 1 from unnest($1::text[]) as r (address)`,
      [Array.from({ length: WATCHED }, (_, index) => addressOf(index))],
    )
    const before = memory()
    const session = await open(sink)
    const watched = createWatchedAddresses(session.watched)
    const used = (memory() - before) / MEBIBYTE
    const { size } = watched
    await session.close()
    return [rate, memoryRow(size, used)]
  } finally {
    await cluster.stop()
  }
}

const open = (sink: ReturnType<typeof createPostgresSink>) =>
  sink.open({ network: 'testnet-10', watch: 'table', signal: new AbortController().signal })

async function measureTransfers(sink: ReturnType<typeof createPostgresSink>): Promise<BenchRow> {
  const session = await open(sink)
  const steps = Array.from({ length: STEPS }, (_, index) => stepOf(index))
  const times: number[] = []
  for (const step of steps) {
    const start = performance.now()
    await session.write(step)
    times.push(performance.now() - start)
  }
  await session.close()
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1_000
  const perSecond = (STEPS * TRANSFERS) / seconds
  const p95 = times.sort((a, b) => a - b)[Math.floor(STEPS * 0.95)] ?? 0
  return {
    what: `transfers stored in PostgreSQL, ${TRANSFERS} in each transaction`,
    against: '10,000 a second',
    ratio: perSecond / 10_000,
    goal: '≥ 1 ×',
    met: perSecond >= 10_000,
    detail: `${perSecond.toFixed(0)} a second with balances and cursor, ${p95.toFixed(0)} ms a transaction (95 %)`,
  }
}

const memoryRow = (size: number, used: number): BenchRow => ({
  what: `the memory of a feed with ${size} rows in watched_address`,
  against: '400 MiB',
  ratio: used / 400,
  goal: '≤ 1 ×',
  met: size === WATCHED && used <= 400,
  detail: `${used.toFixed(0)} MiB`,
})

function stepOf(index: number): FeedStep {
  const blueScore = BigInt(index + 1)
  const transactions = Array.from({ length: TRANSFERS }, (_, at) => transactionOf(index * TRANSFERS + at, blueScore))
  return {
    cursor: `cursor ${index}`.padEnd(2_300),
    blueScore,
    rollback: null,
    transactions,
    added: [],
    addedAfter: null,
    removed: [],
    isLive: true,
  }
}

function transactionOf(index: number, blueScore: bigint): TransferTransaction {
  const transactionId = createHash('sha256').update(String(index)).digest('hex')
  const shared = { transactionId, acceptingBlockHash: transactionId, acceptingBlueScore: blueScore }
  const transfer = {
    ...shared,
    address: addressOf(index % 10_000),
    direction: 'credit' as const,
    amount: 100_000_000n,
    outpoint: { transactionId, index: 0 },
    acceptingDaaScore: blueScore,
    timestamp: 1_790_000_000_000,
    isCoinbase: false,
    isOpening: false,
    isChange: false,
    isInternal: false,
    counterparties: [addressOf(index + 1)],
  }
  return { transactionId, net: 100_000_000n, fee: 2_000n, transfers: [transfer] }
}

function addressOf(index: number): string {
  const payload = new Uint8Array(32)
  new DataView(payload.buffer).setUint32(0, index + 1)
  return encodeAddress('kaspatest', 'PubKey', payload)
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
