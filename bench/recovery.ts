import { filter, firstValueFrom } from 'rxjs'
import { createDevnode, type Devnode } from '../src/devnode/index.js'
import { createChainEngine } from '../src/engine/engine.js'
import type { BenchRow } from './row.js'

const OUTAGE = 1_000
const OUTAGES = 40
/** Concurrent engines, each with its own node. */
const AT_A_TIME = 4
const LIMIT = 2_500

/** Outages of a second with payments in each: time from the drop until the state is restored. */
export async function run(): Promise<BenchRow[]> {
  const times: number[] = []
  let missing = 0
  const measureOutages = async (): Promise<void> => {
    for (let left = OUTAGES / AT_A_TIME; left > 0; left--) {
      const recovery = await recover()
      times.push(recovery.ms)
      missing += recovery.missing
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, measureOutages))
  const p95 = times.sort((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1] ?? NaN
  return [
    {
      what: `recovery after an outage of 1 s, p95 of ${OUTAGES}: connected, UTXOs and accepted transactions complete`,
      against: 'its limit, from the drop',
      ratio: p95 / LIMIT,
      goal: `< ${LIMIT / 1000} s, nothing missing`,
      met: p95 < LIMIT && missing === 0,
      detail: `${(p95 / 1000).toFixed(2)} s, the median ${((times[times.length >> 1] ?? NaN) / 1000).toFixed(2)} s, ${missing} missing`,
    },
  ]
}

interface Recovery {
  /** From the drop until the state was restored. */
  readonly ms: number
  /** Payments that the subscriber never received. */
  readonly missing: number
}

async function recover(): Promise<Recovery> {
  const devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: 0n })
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  const address = devnode.accounts[0]?.address ?? ''
  const accepted = new Set<string>()
  engine.acceptedTransactions$().subscribe((change) => {
    if (change.type === 'accepted') accepted.add(change.transactionId)
  })
  const { state$ } = engine.utxos([address])
  state$.subscribe()
  await engine.connection.connect()
  await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  await pay(devnode, address)

  const from = performance.now()
  const outage = devnode.restart({ downtime: OUTAGE })
  const duringOutage = [await pay(devnode, address), await pay(devnode, address)]
  await outage
  const mature = devnode.expected.balances([address])[0]?.mature
  await firstValueFrom(
    state$.pipe(filter(({ freshness, balance }) => freshness === 'fresh' && balance.mature === mature)),
  )
  while (duringOutage.some((id) => !accepted.has(id)) && performance.now() - from < TIMEOUT) await pause()
  const ms = performance.now() - from
  await engine.dispose()
  await devnode.close()
  return { ms, missing: duringOutage.filter((id) => !accepted.has(id)).length }
}

/** Time limit for a payment to be received, ms. */
const TIMEOUT = 10_000

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** Makes a payment and mines the block that includes it. */
async function pay(devnode: Devnode, address: string): Promise<string> {
  const transactionId = await devnode.fund(address, 100_000_000n)
  await devnode.mine(2)
  return transactionId
}
