import { cpuUsage, memoryUsage } from 'node:process'
import { evaluateDue } from '../src/feed/payments/evaluator.js'
import { EMPTY_RECORD, toRecordJson } from '../src/feed/payments/record-json.js'
import { toStateJson } from '../src/feed/payments/state-json.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { createPoolAccess } from '../src/sql/pool-access.js'
import { stateOf } from '../src/streams/requests/state-of.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf, stepOf } from '../test/feed/support/steps.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

/** Open requests, and payments of a step of the feed: a thousand a second. */
const [REQUESTS, PAYMENTS] = [100_000, 100]
const NETWORK = 'testnet-10'
const REPEATS = 15

/** What a step of the feed costs that pays some of many open requests. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  try {
    const pool = cluster.pool()
    const sink = createPostgresSink({ pool })
    const session = await sink.open({ network: NETWORK, watch: 'given', signal: new AbortController().signal })
    await session.write(stepOf(0, 0, 1))
    const terms = { amount: 100_000_000n, tolerance: 0n, confirmations: 100, expiresAt: Date.now() + 86_400_000 }
    const state = stateOf(terms, [], { tip: 0n, now: 0, wasReverted: false, freshness: 'fresh' })
    await pool.query(
      `insert into vue_chain.payment_request (network, id, address, amount, tolerance, confirmations, created_at,
          created_daa_score, expires_at, next_at, state, record)
        select $1, 'order ' || at, address, 100000000, 0, 100, now(), 0, now() + interval '1 day', now() + interval '1 day', $3, $4
          from unnest($2::text[]) with ordinality as r (address, at)`,
      [
        NETWORK,
        Array.from({ length: REQUESTS }, (_, index) => addressOf(index)),
        JSON.stringify(toStateJson(state)),
        JSON.stringify(toRecordJson(EMPTY_RECORD)),
      ],
    )
    await pool.query('analyze')
    const tables = { schema: 'vue_chain', network: NETWORK } as const
    const context = { session: createPoolAccess(pool), tables, hasWebhook: false }
    const [times, used, idle]: [number[], number[], number[]] = [[], [], []]
    const signal = new AbortController().signal
    const before = memoryUsage().rss
    for (let step = 1; step <= REPEATS; step++) {
      await session.write(stepOf(step, PAYMENTS, REQUESTS))
      const [began, cpu] = [performance.now(), cpuUsage()]
      const { events } = await evaluateDue(context, signal)
      if (events !== PAYMENTS) throw new Error(`${events} events in place of ${PAYMENTS}`)
      times.push(performance.now() - began)
      const { user, system } = cpuUsage(cpu)
      used.push((user + system) / 1_000)
      const idleBegan = performance.now()
      await evaluateDue(context, signal)
      idle.push(performance.now() - idleBegan)
    }
    await session.close()
    const [batch, quiet, grown] = [median(times), median(idle), (memoryUsage().rss - before) / 1e6]
    return [
      {
        what: `evaluating a step that pays ${PAYMENTS} of ${REQUESTS} open requests`,
        against: '50 ms',
        ratio: batch / 50,
        goal: '≤ 1 ×',
        met: batch <= 50,
        detail: `${batch.toFixed(1)} ms, of which ${median(used).toFixed(1)} ms in Node; ${quiet.toFixed(1)} ms where nothing has changed`,
      },
      {
        what: `memory beside ${REQUESTS} open requests`,
        against: '100 MB',
        ratio: grown / 100,
        goal: '≤ 1 ×',
        met: grown <= 100,
        detail: `${grown.toFixed(1)} MB more after ${REPEATS} steps`,
      },
    ]
  } finally {
    await cluster.stop()
  }
}
