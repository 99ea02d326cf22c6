import { createChainEngine } from '../src/engine/engine.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { startPayingNode } from './wire/paying-node.js'
import { timePayments, type TimedPayment } from './wire/timed-payments.js'

const UTXOS = 1_000
const WARM_UP = 20
const ROUNDS = 50
const LIMIT = 10

/** From the call of `send()` until its submission is written to the socket. */
export async function run(): Promise<BenchRow[]> {
  const node = await startPayingNode(UTXOS)
  const engine = createChainEngine({ network: 'testnet-10', url: node.url })
  const payments = await timePayments(engine, WARM_UP + ROUNDS)
  await engine.dispose()
  node.close()
  return [toRow(payments.slice(WARM_UP))]
}

function toRow(payments: readonly TimedPayment[]): BenchRow {
  const [wire, roundTrip] = [median(payments.map((each) => each.wire)), median(payments.map((each) => each.roundTrip))]
  return {
    what: `send() with ${UTXOS} UTXOs known until its submission is written to the socket`,
    against: 'its limit',
    ratio: wire / LIMIT,
    goal: `≤ ${LIMIT} ms`,
    met: wire <= LIMIT,
    detail: `${wire.toFixed(1)} ms, median of ${ROUNDS}, its one signature included; a call of the node takes ${roundTrip.toFixed(1)}`,
  }
}
