import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChainEngine } from '../src/engine/engine.js'
import { createPayments } from '../src/feed/payments/create-payments.js'
import { EMPTY_RECORD, toRecordJson } from '../src/feed/payments/record-json.js'
import { toStateJson } from '../src/feed/payments/payment.js'
import { createPostgresSink } from '../src/feed/postgres/create-postgres-sink.js'
import { stateOf } from '../src/streams/requests/state.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import { addressOf, AMOUNT, stepOf } from '../test/feed/support/steps.js'
import { median } from './lib/median.js'
import { percentile } from './lib/percentile.js'
import type { BenchRow } from './row.js'

const NETWORK = 'testnet-10'
const PAYMENTS = 60
const WARM_UP = 20
const GOAL = 200

/** How long after the commit of a payment its webhook arrives: evaluated, stored, read again, signed and posted. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  let arrived = (): void => undefined
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
    arrived()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const engine = createChainEngine({ network: NETWORK, url: 'ws://127.0.0.1:1', reconnect: { maxRetries: Infinity } })
  const stopped = new AbortController()
  try {
    const pool = cluster.pool()
    const session = await createPostgresSink({ pool }).open({
      network: NETWORK,
      watch: 'given',
      signal: stopped.signal,
    })
    await session.write(stepOf(0, 0, 1))
    const terms = { amount: AMOUNT, tolerance: 0n, confirmations: 100, expiresAt: Date.now() + 86_400_000 }
    const state = stateOf(terms, [], { tip: 0n, now: 0, wasReverted: false, freshness: 'fresh' })
    await pool.query(
      `insert into vue_chain.payment_request (network, id, address, amount, tolerance, confirmations, created_at,
          created_daa_score, expires_at, next_at, state, record)
        select $1, 'order ' || at, address, ${AMOUNT}, 0, 100, now(), 0, now() + interval '1 day', now() + interval '1 day', $3, $4
          from unnest($2::text[]) with ordinality as r (address, at)`,
      [
        NETWORK,
        Array.from({ length: PAYMENTS + 2 }, (_, index) => addressOf(index)),
        JSON.stringify(toStateJson(state)),
        JSON.stringify(toRecordJson(EMPTY_RECORD)),
      ],
    )
    const { port } = receiver.address() as AddressInfo
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const webhook = { url: `http://127.0.0.1:${port}/hook`, secret, allowPrivate: true }
    const running = createPayments({ engine, pool, webhook }).run({ signal: stopped.signal })
    const times: number[] = []
    for (let step = 1; step <= PAYMENTS; step++) {
      const arrival = new Promise<void>((resolve) => (arrived = resolve))
      await session.write(stepOf(step, 1, PAYMENTS + 2))
      const began = performance.now()
      await Promise.race([arrival, running])
      times.push(performance.now() - began)
    }
    await session.close()
    stopped.abort()
    await running
    const measured = times.slice(WARM_UP)
    const late = percentile(measured, 0.95)
    return [
      {
        what: 'a webhook after the commit of its payment, 95 of 100',
        against: `${GOAL} ms`,
        ratio: late / GOAL,
        goal: '≤ 1 ×',
        met: late <= GOAL,
        detail: `${late.toFixed(0)} ms, in the median ${median(measured).toFixed(0)} ms, in PostgreSQL, to a receiver on this machine`,
      },
    ]
  } finally {
    stopped.abort()
    await engine.dispose()
    receiver.closeAllConnections()
    receiver.close()
    await cluster.stop()
  }
}
