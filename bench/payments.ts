import { readFileSync } from 'node:fs'
import { cpuUsage, memoryUsage } from 'node:process'
import { evaluateDue } from '../src/feed/payments/evaluator.js'
import { EMPTY_RECORD, toRecordJson } from '../src/feed/payments/record-json.js'
import { toStateJson } from '../src/feed/payments/payment.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { createPoolAccess } from '../src/sql/pool-access.js'
import { stateOf } from '../src/streams/requests/state.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf, stepOf } from '../test/feed/support/steps.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

/** Open requests, and payments of a step of the feed: a thousand a second. */
const [REQUESTS, PAYMENTS] = [100_000, 100]
const NETWORK = 'testnet-10'
/** A service runs for days: the code of the first steps is compiled, and the pages of the database are warm. */
const WARM_UP = 30
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
    const evaluating = cluster.pool(undefined, 1)
    const { rows } = await evaluating.query<{ pid: number }>('select pg_backend_pid() as pid')
    const serverTime = (): number => processorTime(rows[0]?.pid ?? 0)
    const context = { session: createPoolAccess(evaluating, 10_000), tables, hasWebhook: false }
    const [times, used, served, idle]: [number[], number[], number[], number[]] = [[], [], [], []]
    const signal = new AbortController().signal
    for (let step = 1; step <= WARM_UP; step++) {
      await session.write(stepOf(step, PAYMENTS, REQUESTS))
      await evaluateDue(context, signal)
    }
    globalThis.gc?.()
    const before = memoryUsage().rss
    for (let step = WARM_UP + 1; step <= WARM_UP + REPEATS; step++) {
      await session.write(stepOf(step, PAYMENTS, REQUESTS))
      const [began, cpu, server] = [performance.now(), cpuUsage(), serverTime()]
      const { events } = await evaluateDue(context, signal)
      if (events !== PAYMENTS) throw new Error(`${events} events in place of ${PAYMENTS}`)
      times.push(performance.now() - began)
      const { user, system } = cpuUsage(cpu)
      used.push((user + system) / 1_000)
      served.push(serverTime() - server)
      const idleBegan = performance.now()
      await evaluateDue(context, signal)
      idle.push(performance.now() - idleBegan)
    }
    await session.close()
    const [inNode, inServer, grown] = [median(used), median(served), (memoryUsage().rss - before) / 1e6]
    const batch = inNode + inServer
    return [
      {
        what: `evaluating a step that pays ${PAYMENTS} of ${REQUESTS} open requests`,
        against: '50 ms',
        ratio: batch / 50,
        goal: '≤ 1 ×',
        met: batch <= 50,
        detail: `${batch.toFixed(1)} ms of processor time, ${inNode.toFixed(1)} ms in Node and ${inServer.toFixed(1)} ms in PostgreSQL; ${median(times).toFixed(1)} ms by the clock, ${median(idle).toFixed(1)} ms where nothing has changed`,
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

/** Ms for which a process has run on a core: a machine that does other things as well delays it. */
const processorTime = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
