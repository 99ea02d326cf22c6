import { filter, firstValueFrom, skip } from 'rxjs'
import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { ADDRESS, CHANGED, startPayingNode } from './wire/paying-node.js'
import { paymentFrom, timePayments } from './wire/timed-payments.js'

const COUNTS = [1_000, 100_000]
const WARM_UP = 20
const ROUNDS = 50
/** Payments that are the first after a change. */
const CHANGES = 30
const LIMIT = 10

/** From the call of `send()` until its submission is written to the socket, and the processor time of `estimate()`. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const count of COUNTS) rows.push(...(await measure(count)))
  return rows
}

async function measure(count: number): Promise<readonly BenchRow[]> {
  const node = await startPayingNode(count, CHANGES)
  const engine = createChainEngine({ network: 'testnet-10', url: node.url })
  const payments = (await timePayments(engine, WARM_UP + ROUNDS)).slice(WARM_UP)
  const changed = await timePayments(engine, CHANGES, (state$, round) => {
    const next = firstValueFrom(state$.pipe(skip(1)))
    node.notify(0, round)
    return next
  })
  const estimates = await timeEstimates(engine)
  await engine.dispose()
  node.close()
  const [wire, roundTrip] = [median(payments.map((each) => each.wire)), median(payments.map((each) => each.roundTrip))]
  return [
    toRow(
      `send() with ${count} UTXOs known until its submission is written to the socket`,
      wire,
      `median of ${ROUNDS}, its one signature included; a call of the node takes ${roundTrip.toFixed(1)}`,
    ),
    toRow(
      `the same, after ${CHANGED} more UTXOs`,
      median(changed.map((each) => each.wire)),
      `median of ${CHANGES}, each the first payment after a change`,
    ),
    toRow(`estimate() with ${count} UTXOs known, processor time`, median(estimates), `median of ${ROUNDS}`),
  ]
}

/** The processor times of estimates, all threads, ms. */
async function timeEstimates(engine: ChainEngine): Promise<number[]> {
  const { state$ } = engine.utxos([ADDRESS])
  const subscription = state$.subscribe()
  const state = await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    await engine.transactions.estimate(paymentFrom(state))
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  subscription.unsubscribe()
  return times
}

const toRow = (what: string, ms: number, detail: string): BenchRow => ({
  what,
  against: 'its limit',
  ratio: ms / LIMIT,
  goal: `≤ ${LIMIT} ms`,
  met: ms <= LIMIT,
  detail: `${ms.toFixed(1)} ms, ${detail}`,
})
