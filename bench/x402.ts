import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createMemoryX402Store } from '../src/x402/stores/store.js'
import { verifyTransaction } from '../src/operations/transactions/verify-transaction.js'
import { offer, payment, present, URL } from '../test/x402/support/desk.js'
import { KAS, openMarket, type Market } from '../test/x402/support/market.js'
import { REQUEST, signedPayment, TERMS } from '../test/x402/support/signed-payment.js'
import { median } from './lib/median.js'
import { percentile } from './lib/percentile.js'
import type { BenchRow } from './row.js'

const SETTLED = 30

/** x402: settlements at ten blocks a second, the verification of one input, and what refused payments cost. */
export async function run(): Promise<BenchRow[]> {
  const rows = [verification(), await refusals()]
  for (const [finality, limit] of [
    [0, 1_000],
    [10, 2_500],
  ] as const)
    rows.push(await settlements(finality, limit))
  return rows
}

/** Of processor time: others may use the machine. */
function verification(): BenchRow {
  const { transaction } = signedPayment().payload
  const times = Array.from({ length: 200 }, () => {
    const before = process.cpuUsage()
    const found = verifyTransaction(transaction, { network: 'simnet' })
    if (!found.isValid) throw new Error(found.message)
    return processorTime(before)
  })
  return row(
    'verifyTransaction of one input, processor time',
    median(times),
    5,
    `${median(times).toFixed(2)} ms, median of 200`,
  )
}

/** A thousand payments within a second, each signed for another request: the most that is done before a refusal. */
async function refusals(): Promise<BenchRow> {
  const market = await openMarket()
  const { verify, bind } = await market.facilitator()
  const hostile = signedPayment({ bindingKey: '09'.repeat(32) })
  const refuse = () => bind({ request: REQUEST }, () => verify(hostile, TERMS))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const [began, before] = [performance.now(), process.cpuUsage()]
  const refused: ReturnType<typeof verify>[] = []
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(1_000, Math.floor(performance.now() - began))
      while (refused.length < due) refused.push(refuse())
      if (refused.length < 1_000) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  const reasons = (await Promise.all(refused)).map(({ invalidReason }) => invalidReason)
  const longest = delay.max / 1e6
  delay.disable()
  const used = processorTime(before)
  const seconds = (performance.now() - began) / 1_000
  await market.end()
  const deferred = reasons.filter((reason) => reason === 'settlement_pending').length
  if (reasons.includes(undefined)) throw new Error('A payment was not refused')
  return row(
    '1,000 refused payments a second: longest delay of the event loop',
    longest,
    50,
    `${longest.toFixed(0)} ms; ${seconds.toFixed(1)} s, ${used.toFixed(0)} ms of processor time, ${deferred} deferred by 503`,
  )
}

/** Ms of this process since `before`. */
function processorTime(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function settlements(finality: number, limit: number): Promise<BenchRow> {
  const market = await openMarket({ blockInterval: 100 })
  try {
    const times = await settle(market, finality)
    const p95 = percentile(times, 0.95)
    return row(
      `x402 settle at finality ${finality}, 95 %`,
      p95,
      limit,
      `${p95.toFixed(0)} ms, median ${median(times).toFixed(0)} ms`,
    )
  } finally {
    await market.end()
  }
}

async function settle(market: Market, finality: number): Promise<readonly number[]> {
  const x402 = await market.facilitator(createMemoryX402Store(), { finality })
  const kaspa = await market.client(undefined, { maxPerDay: 1_000n * KAS })
  const terms = await offer(x402, market.payTo)
  const times: number[] = []
  for (let number = 0; number < SETTLED; number++) {
    const url = `${URL}/${number}`
    const paid = await payment(kaspa, structuredClone(terms), url)
    const began = performance.now()
    const { status } = await present(x402, paid, terms, { url })
    if (status !== 200) throw new Error(`Status ${status}`)
    times.push(performance.now() - began)
  }
  return times
}

const row = (what: string, ms: number, limit: number, detail: string): BenchRow => ({
  what,
  against: `${limit} ms`,
  ratio: ms / limit,
  goal: '≤ 1 ×',
  met: ms <= limit,
  detail,
})
