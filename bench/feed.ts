import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import pg from 'pg'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import type { FeedStep } from '../src/feed/sink.js'
import { loadWatchedAddresses } from '../src/streams/transfers/watched-addresses.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf, stepOf } from '../test/feed/support/steps.js'
import { runInChildProcess } from './lib/child-process.js'
import { copySteps } from './lib/copy-steps.js'
import { writeWatched } from './lib/watched-rows.js'
import type { BenchRow } from './row.js'

const STEPS = 100
const TRANSFERS = 1_000
/** Addresses that transfers pay: each step changes as many balances as it has rows. */
const PAID = 10_000
const WATCHED = 1_000_000

/** The durable feed into a PostgreSQL of its own, with durable commits. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  try {
    const pool = cluster.pool()
    const rates = await measureTransfers(pool)
    return [...rates, await measureWatched(pool, cluster.port)]
  } finally {
    await cluster.stop()
  }
}

const open = (pool: pg.Pool, schema: string) =>
  createPostgresSink({ pool, schema }).open({
    network: 'testnet-10',
    watch: 'table',
    signal: new AbortController().signal,
  })

async function measureTransfers(pool: pg.Pool): Promise<BenchRow[]> {
  const steps = Array.from({ length: STEPS }, (_, index) => stepOf(index, TRANSFERS, PAID))
  const session = await open(pool, 'rate')
  const [holder] = (await pool.query<{ pid: number }>("select pid from pg_locks where locktype = 'advisory'")).rows
  const ours = await measure(steps, holder?.pid ?? 0, (step) => session.write(step))
  await session.close()
  await (await open(pool, 'copied')).close() // creates the tables
  const client = await pool.connect()
  const [own] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  const addresses = Array.from({ length: PAID }, (_, index) => addressOf(index))
  const copied = copySteps(client, 'copied', addresses)
  const theirs = await measure(steps, own?.pid ?? 0, copied)
  client.release()
  const shape = `${TRANSFERS} in each transaction`
  const words = ({ perSecond, node, server }: Cost): string =>
    `${perSecond.toFixed(0)} a second; ${node.toFixed(1)} µs in Node and ${server.toFixed(1)} in the server of processor time`
  return [
    {
      what: `transfers stored in PostgreSQL, ${shape}`,
      against: '15,000 a second',
      ratio: ours.perSecond / 15_000,
      goal: '≥ 1 ×',
      met: ours.perSecond >= 15_000,
      detail: `${words(ours)}; load ${loadavg()[0]?.toFixed(1)}`,
    },
    {
      what: `processor time of a transfer with its balance, ${shape}`,
      against: '`pg`: COPY of the same rows into the same table',
      ratio: (ours.node + ours.server) / (theirs.node + theirs.server),
      goal: '≤ 2.5 ×',
      met: (ours.node + ours.server) / (theirs.node + theirs.server) <= 2.5,
      detail: `COPY: ${words(theirs)}`,
    },
  ]
}

interface Cost {
  readonly perSecond: number
  /** Processor time of one transfer, in µs. */
  readonly node: number
  readonly server: number
}

async function measure(steps: readonly FeedStep[], pid: number, write: (step: FeedStep) => Promise<unknown>) {
  globalThis.gc?.()
  const [start, node, server] = [performance.now(), process.cpuUsage(), cpuOf(pid)]
  for (const step of steps) await write(step)
  const { user, system } = process.cpuUsage(node)
  const count = STEPS * TRANSFERS
  const perSecond = count / ((performance.now() - start) / 1_000)
  return { perSecond, node: (user + system) / count, server: (cpuOf(pid) - server) / count } satisfies Cost
}

/** Processor time of a process in µs, from the system's clock ticks of 10 ms; 0 where it cannot be read. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return 0 // no Linux
  }
}

async function measureWatched(pool: pg.Pool, port: number): Promise<BenchRow> {
  await (await open(pool, 'watched')).close() // creates the tables
  const addresses = Array.from({ length: WATCHED }, (_, index) => addressOf(index))
  await writeWatched(pool, 'watched', { network: 'testnet-10', addresses, blueScore: 1 })
  const { size, peak } = await runInChildProcess<{ size: number; peak: number }>({
    module: import.meta.url,
    name: 'openWatched',
    args: [port],
  })
  return {
    what: `the memory of a process whose feed has ${size} rows in watched_address`,
    against: '300 MB',
    ratio: peak / 300,
    goal: '≤ 1 ×',
    met: size === WATCHED && peak <= 300,
    detail: `${peak.toFixed(0)} MB at its peak, Node included`,
  }
}

/**
 * Runs in a process of its own. Resolves to the number of watched addresses, and the most memory that the process had,
 * in MB.
 */
export async function openWatched(port: number): Promise<{ readonly size: number; readonly peak: number }> {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  const session = await open(pool, 'watched')
  const { size } = await loadWatchedAddresses(session.watched)
  const peak = (process.resourceUsage().maxRSS * 1_024) / 1e6
  await session.close()
  return { size, peak }
}
