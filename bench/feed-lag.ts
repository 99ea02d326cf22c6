import { loadavg } from 'node:os'
import { filter, firstValueFrom, interval, lastValueFrom, take, tap } from 'rxjs'
import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import { createFeed } from '../src/feed/create-feed.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import type { FeedSession, FeedSink } from '../src/feed/sink.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf } from '../test/feed/support/steps.js'
import { prepareFeed } from './lib/watched-rows.js'
import type { BenchRow } from './row.js'
import { createSyntheticChain, type SyntheticChain } from './wire/synthetic-chain.js'

/** Blocks; the first ones warm the code and are not measured. */
const [BLOCKS, WARM] = [300, 50]
/** Between blocks, in ms. */
const INTERVAL = 100
const TRANSACTIONS = 300
/** The goal, in ms. */
const LIMIT = 250
/** The blue score of the block before the first one. */
const START = 1_000
const NETWORK = 'testnet-10'

/**
 * Time and processor time from a block of the node until its transfers are committed in PostgreSQL. The node is a part
 * of this process.
 */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  const watched = Array.from({ length: TRANSACTIONS }, (_, index) => addressOf(index))
  const chain = createSyntheticChain(START, { payments: TRANSACTIONS, recipient: (at) => watched[at] ?? '' })
  const engine = createChainEngine({ network: NETWORK, url: 'ws://memory', heartbeat: false, ports: chain })
  try {
    const pool = cluster.pool()
    await prepareFeed(pool, { network: NETWORK, addresses: watched, blueScore: START })
    await engine.connection.connect()
    const { lags, cpu } = await deliver(engine, chain, createPostgresSink({ pool }))
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from vue_chain.transfer')
    return [rowOf(lags.slice(WARM), cpu, rows[0]?.n ?? 0)]
  } finally {
    await engine.dispose()
    await cluster.stop()
  }
}

/** Mines until all blocks are stored. Resolves to the lag of each block in ms, and the processor time in µs. */
async function deliver(engine: ChainEngine, chain: SyntheticChain, sink: FeedSink) {
  const [mined, lags]: [number[], number[]] = [[], []]
  const stored = (blueScore: bigint): void => {
    const now = performance.now()
    for (let block = lags.length; block < Number(blueScore) - START; block++) lags.push(now - (mined[block] ?? now))
  }
  const feed = createFeed({ engine, watch: 'table', minConfirmations: 0, sink: reporting(sink, stored) })
  const stopped = new AbortController()
  const done = feed.run({ signal: stopped.signal })
  await firstValueFrom(feed.status$.pipe(filter(({ phase }) => phase === 'running')))
  const before = process.cpuUsage()
  const mine = (): void => {
    mined.push(performance.now())
    chain.grow()
  }
  await lastValueFrom(interval(INTERVAL).pipe(take(BLOCKS), tap(mine)))
  await firstValueFrom(feed.status$.pipe(filter(({ blueScore }) => blueScore === BigInt(START + BLOCKS))))
  const { user, system } = process.cpuUsage(before)
  stopped.abort()
  await done
  return { lags, cpu: user + system }
}

/** A sink that reports each stored position. */
const reporting = (sink: FeedSink, stored: (blueScore: bigint) => void): FeedSink => ({
  ...sink,
  async open(options): Promise<FeedSession> {
    const session = await sink.open(options)
    return {
      ...session,
      async write(step) {
        const unwanted = await session.write(step)
        stored(step.blueScore)
        return unwanted
      },
    }
  },
})

function rowOf(lags: readonly number[], cpu: number, transfers: number): BenchRow {
  const sorted = [...lags].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const share = cpu / (BLOCKS * INTERVAL * 1_000)
  return {
    what: `the lag of the feed behind a node of 10 blocks a second with ${TRANSACTIONS} payments each (95 %)`,
    against: `${LIMIT} ms`,
    ratio: at(0.95) / LIMIT,
    goal: '≤ 1 ×',
    met: at(0.95) <= LIMIT && transfers === BLOCKS * TRANSACTIONS,
    detail: `${at(0.5).toFixed(0)} ms (50 %), ${at(0.95).toFixed(0)} ms (95 %), ${transfers} transfers; ${(share * 100).toFixed(0)} % of a core, the node included; load ${loadavg()[0]?.toFixed(1)}`,
  }
}
