import { loadavg } from 'node:os'
import { filter, firstValueFrom } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import { createFeed } from '../src/feed/create-feed.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf } from '../test/feed/support/steps.js'
import { prepareFeed } from './lib/watched-rows.js'
import type { BenchRow } from './row.js'
import { createSyntheticChain } from './wire/synthetic-chain.js'

/** The blue score of the stored position, and the chain blocks after it: half an hour of history. */
const [START, BLOCKS] = [1_000, 20_000]
/** Payments of a block, all to watched addresses. */
const PAYMENTS = 3
/** The goal, in chain blocks a second: those of 30 hours, which nodes keep, in half an hour. */
const LIMIT = 600
const NETWORK = 'testnet-10'

/** How fast a feed catches up that was stopped, into a PostgreSQL of its own. The node is a part of this process. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  const watched = Array.from({ length: PAYMENTS }, (_, index) => addressOf(index))
  const chain = createSyntheticChain(START + BLOCKS, { payments: PAYMENTS, recipient: (at) => watched[at] ?? '' })
  const engine = createChainEngine({ network: NETWORK, url: 'ws://memory', heartbeat: false, ports: chain })
  try {
    const pool = cluster.pool()
    await prepareFeed(pool, { network: NETWORK, addresses: watched, blueScore: START })
    await engine.connection.connect()
    const feed = createFeed({ engine, watch: 'table', minConfirmations: 0, sink: createPostgresSink({ pool }) })
    const stopped = new AbortController()
    const [start, cpu] = [performance.now(), process.cpuUsage()]
    const done = feed.run({ signal: stopped.signal })
    const { transfers } = await firstValueFrom(
      feed.status$.pipe(filter(({ blueScore }) => blueScore === BigInt(START + BLOCKS))),
    )
    const seconds = (performance.now() - start) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    stopped.abort()
    await done
    const perSecond = BLOCKS / seconds
    return [
      {
        what: `chain blocks that a feed catches up with into PostgreSQL, ${PAYMENTS} payments in each`,
        against: `${LIMIT} a second`,
        ratio: perSecond / LIMIT,
        goal: '≥ 1 ×',
        met: perSecond >= LIMIT && transfers === BLOCKS * PAYMENTS,
        detail: `${perSecond.toFixed(0)} a second; ${((user + system) / BLOCKS / 1_000).toFixed(2)} ms of processor time each, the node included; load ${loadavg()[0]?.toFixed(1)}`,
      },
    ]
  } finally {
    await engine.dispose()
    await cluster.stop()
  }
}
