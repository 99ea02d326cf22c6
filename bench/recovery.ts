import { filter, firstValueFrom } from 'rxjs'
import { createDevnode, type Devnode } from '../src/devnode/index.js'
import { createChainEngine } from '../src/engine/engine.js'
import type { BenchRow } from './row.js'

const OUTAGE = 1_000
const OUTAGES = 40
/** Engines at a time, each at a node of its own. */
const AT_A_TIME = 4
const LIMIT = 2_500

/** Outages of a second, with payments made in each: how long until all is known again, counted from the drop. */
export async function run(): Promise<BenchRow[]> {
  const times: number[] = []
  let lost = 0
  const suffer = async (): Promise<void> => {
    for (let left = OUTAGES / AT_A_TIME; left > 0; left--) {
      const recovery = await recover()
      times.push(recovery.ms)
      lost += recovery.lost
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, suffer))
  const p95 = times.sort((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1] ?? NaN
  return [
    {
      what: `recovery after an outage of 1 s, p95 of ${OUTAGES}: connected, ledger and accepted transactions whole`,
      against: 'its limit, from the drop',
      ratio: p95 / LIMIT,
      goal: `< ${LIMIT / 1000} s, nothing lost`,
      met: p95 < LIMIT && lost === 0,
      detail: `${(p95 / 1000).toFixed(2)} s, the median ${((times[times.length >> 1] ?? NaN) / 1000).toFixed(2)} s, ${lost} lost`,
    },
  ]
}

interface Recovery {
  /** From the drop until everything was known. */
  readonly ms: number
  /** Payments of which the listener never heard. */
  readonly lost: number
}

async function recover(): Promise<Recovery> {
  const devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: 0n })
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  const address = devnode.accounts[0]?.address ?? ''
  const accepted = new Set<string>()
  engine.acceptedTransactions$().subscribe(({ transactionId }) => accepted.add(transactionId))
  const { state$ } = engine.utxos([address])
  state$.subscribe()
  await engine.connection.connect()
  await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  await pay(devnode, address)

  const from = performance.now()
  const outage = devnode.restart({ downtime: OUTAGE })
  const missed = [await pay(devnode, address), await pay(devnode, address)]
  await outage
  const mature = devnode.truth.balances([address])[0]?.mature
  await firstValueFrom(
    state$.pipe(filter(({ freshness, balance }) => freshness === 'fresh' && balance.mature === mature)),
  )
  while (missed.some((id) => !accepted.has(id)) && performance.now() - from < PATIENCE) await turn()
  const ms = performance.now() - from
  await engine.dispose()
  await devnode.close()
  return { ms, lost: missed.filter((id) => !accepted.has(id)).length }
}

/** After how long, in ms, what was not heard of is lost. */
const PATIENCE = 10_000

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** A payment, and the block that brings it. */
async function pay(devnode: Devnode, address: string): Promise<string> {
  const transactionId = await devnode.fund(address, 100_000_000n)
  await devnode.mine(2)
  return transactionId
}
