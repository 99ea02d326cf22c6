import { createDevnode, type Devnode } from '../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import { light } from '../src/light/index.js'
import { createPayouts, type Payouts } from '../src/payouts/create-payouts.js'
import { postgresJournal } from '../src/payouts/stores/postgres-journal.js'
import { hasPostgres, startPostgres } from '../test/feed/support/postgres-cluster.js'
import type { BenchRow } from './row.js'

const KAS = 100_000_000n
const PAYS = 200
const QUEUED = 10_000
const BATCH = 49

/** The payment queue on a PostgreSQL and a devnode of its own. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  const devnode = await createDevnode({ blockInterval: 100, accounts: 2, balance: 100_000n * KAS })
  const [account, recipient] = devnode.accounts
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  const payouts = createPayouts({
    engine,
    journal: postgresJournal({ pool: cluster.pool() }),
    addresses: [account?.address ?? ''],
    privateKeys: [account?.privateKeyHex ?? ''],
    minConfirmations: 10,
    batch: { maxOutputs: BATCH },
    fee: { feeRate: 100 },
  })
  const to = recipient?.address ?? ''
  try {
    const stored = await measurePay(payouts, to)
    return [stored, await measureQueue(payouts, { engine, devnode, to })]
  } finally {
    await engine.dispose()
    await devnode.close()
    await cluster.stop()
  }
}

/** From the call of `pay` until it is stored. */
async function measurePay(payouts: Payouts, address: string): Promise<BenchRow> {
  await payouts.pay('first', { address, amount: KAS }) // creates the tables
  const times: number[] = []
  for (let id = 0; id < PAYS; id++) {
    const begun = performance.now()
    await payouts.pay(`stored ${id}`, { address, amount: KAS })
    times.push(performance.now() - begun)
  }
  const median = times.sort((a, b) => a - b)[PAYS / 2] ?? 0
  return {
    what: 'a payout stored in PostgreSQL on the machine',
    against: '5 ms',
    ratio: median / 5,
    goal: '≤ 1 ×',
    met: median <= 5,
    detail: `median ${median.toFixed(1)} ms, p95 ${(times[Math.floor(PAYS * 0.95)] ?? 0).toFixed(1)} ms`,
  }
}

/** From the start of the queue until all payouts are settled. */
async function measureQueue(
  payouts: Payouts,
  { engine, devnode, to }: { readonly engine: ChainEngine; readonly devnode: Devnode; readonly to: string },
): Promise<BenchRow> {
  for (let first = 0; first < QUEUED; first += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => payouts.pay(`queued ${first + at}`, { address: to, amount: KAS })),
    )
  await devnode.mine(20)
  await engine.connection.connect()
  const stopped = new AbortController()
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const running = payouts.run({ signal: stopped.signal })
  for (let settled = 0; settled < QUEUED;) {
    settled = (await payouts.metrics()).states.settled ?? 0
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const seconds = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(before)
  stopped.abort()
  await running
  const { attempts } = await payouts.metrics()
  const rate = QUEUED / seconds
  return {
    what: `${QUEUED} queued payouts settled, ${BATCH} in a transaction, 10 UTXOs, 10 blocks deep`,
    against: '400 a second',
    ratio: rate / 400,
    goal: '≥ 1 ×',
    met: rate >= 400,
    detail: `${rate.toFixed(0)} a second; ${((user + system) / 1_000 / attempts.pay).toFixed(0)} ms of processor time in each of ${attempts.pay} transactions, with the devnode in the same process`,
  }
}
