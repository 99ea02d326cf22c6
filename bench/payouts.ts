import pg from 'pg'
import { createDevnode } from '../src/devnode/index.js'
import { createChainEngine } from '../src/engine/engine.js'
import { light } from '../src/light/index.js'
import { createPayouts } from '../src/payouts/create-payouts.js'
import { postgresJournal } from '../src/payouts/stores/postgres-journal.js'
import type { PostgresPool } from '../src/sql/pool-database.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../test/feed/support/postgres-cluster.js'
import { runInChildProcess, sendToParent } from './lib/child-process.js'
import { median } from './lib/median.js'
import { percentile } from './lib/percentile.js'
import type { BenchRow } from './row.js'

const KAS = 100_000_000n
const PAYS = 200
const QUEUED = 10_000
const BATCH = 49
const CONFIRMATIONS = 10
const UTXOS = 10
/** Between two blocks, in ms. */
const BLOCK = 100
/** Payments of 49 that are open when a queue starts: 10,000 payouts. */
const OPEN = 205

/** What the child process says of its node. */
interface NodeFacts {
  readonly url: string
  readonly accounts: readonly { readonly address: string; readonly privateKeyHex: string }[]
}

/** The payment queue on a PostgreSQL of its own, with durable commits, and a devnode in another process. */
export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres) return []
  const cluster = await startPostgres()
  const ended = new AbortController()
  try {
    const node = await startNode(ended.signal)
    const pool = cluster.pool()
    const stored = await measurePay(pool, node)
    const settled = await measureQueue(cluster, pool, node, { account: 1, chainDepth: 0 })
    const chained = await measureQueue(cluster, pool, node, { account: 2, chainDepth: 10 })
    return [stored, ...settled, ...chained, await measureStart(pool, node)]
  } finally {
    ended.abort()
    await cluster.stop()
  }
}

function startNode(signal: AbortSignal): Promise<NodeFacts> {
  return new Promise((resolve, reject) => {
    runInChildProcess({
      module: import.meta.url,
      name: 'runNode',
      args: [],
      onMessage: (text) => resolve(JSON.parse(text) as NodeFacts),
      signal,
    }).catch(reject) // also at its end
  })
}

/** In the child process: a devnode with a block each 100 ms, until the process is ended. */
export async function runNode(): Promise<never> {
  const { urls, accounts } = await createDevnode({ blockInterval: BLOCK, accounts: 5, balance: 100_000n * KAS })
  const facts: NodeFacts = {
    url: urls.borsh,
    accounts: accounts.map(({ address, privateKeyHex }) => ({ address, privateKeyHex })),
  }
  sendToParent(JSON.stringify(facts))
  return new Promise<never>(() => undefined)
}

interface QueueOptions {
  /** Which account pays. */
  readonly account: number
  readonly chainDepth: number
  readonly minConfirmations?: number
  readonly splitTo?: number
}

function openQueue(
  pool: PostgresPool,
  { url, accounts }: NodeFacts,
  { account, chainDepth, minConfirmations = CONFIRMATIONS, splitTo = UTXOS }: QueueOptions,
) {
  const engine = createChainEngine({ network: 'simnet', url, sdk: light })
  const { address = '', privateKeyHex = '' } = accounts[account] ?? {}
  const payouts = createPayouts({
    engine,
    journal: postgresJournal({ pool }),
    addresses: [address],
    privateKeys: [privateKeyHex],
    minConfirmations,
    batch: { maxOutputs: BATCH, maxStorageMass: 490_000n, chainDepth, splitTo }, // 49 of 1 KAS
    fee: { feeRate: 100 },
  })
  return { engine, payouts }
}

const recipientOf = ({ accounts }: NodeFacts): string => accounts[4]?.address ?? ''

/** From the call of `pay` until it is stored, and what that takes of the connection. */
async function measurePay(pool: pg.Pool, node: NodeFacts): Promise<BenchRow> {
  let statements = 0
  const counting: PostgresPool = {
    async connect() {
      const client = await pool.connect()
      return {
        query: (text, values) => {
          statements++
          return client.query(text, values)
        },
        on: () => undefined,
        release: (destroy) => client.release(destroy),
      }
    },
  }
  const { engine, payouts } = openQueue(counting, node, { account: 0, chainDepth: 0 })
  const address = recipientOf(node)
  await payouts.pay('first', { address, amount: KAS }) // creates the tables
  statements = 0
  const times: number[] = []
  for (let id = 0; id < PAYS; id++) {
    const begun = performance.now()
    await payouts.pay(`stored ${id}`, { address, amount: KAS })
    times.push(performance.now() - begun)
  }
  await engine.dispose()
  const ms = median(times)
  const p95 = percentile(times, 0.95)
  const trips = statements / PAYS
  return {
    what: 'a payout stored in PostgreSQL on the machine',
    against: '5 ms',
    ratio: ms / 5,
    goal: '≤ 1 ×, 2 round trips',
    met: ms <= 5 && trips <= 2,
    detail: `median ${ms.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${trips} round trip`,
  }
}

/** What a process of its own took to settle all payouts. */
interface QueueCost {
  readonly seconds: number
  /** Ms of processor time in all of its threads. */
  readonly time: number
  /** Transactions. */
  readonly count: number
}

/** From the start of the queue until all payouts are settled. */
async function measureQueue(
  cluster: PostgresCluster,
  pool: pg.Pool,
  node: NodeFacts,
  options: QueueOptions,
): Promise<BenchRow[]> {
  await storeQueued(pool, node, options.account, QUEUED)
  const { seconds, time, count } = await runInChildProcess<QueueCost>({
    module: import.meta.url,
    name: 'runQueue',
    args: [cluster.port, node, options],
  })
  const rate = QUEUED / seconds
  const each = time / count
  const shape = `${BATCH} in a transaction, ${UTXOS} UTXOs, ${CONFIRMATIONS} blocks deep, chainDepth ${options.chainDepth}`
  // without chains each UTXO pays once until the block after its payment is so deep
  const bound = (UTXOS * BATCH * 1_000) / ((CONFIRMATIONS + 1) * BLOCK)
  const most = options.chainDepth === 0 ? `, at most ${bound.toFixed(0)} by the confirmations` : ''
  const detail = `${rate.toFixed(0)} a second${most}, ${each.toFixed(0)} ms of processor time in each of ${count} transactions, in the process of the queue`
  return [
    {
      what: `${QUEUED} queued payouts settled, ${shape}`,
      against: '400 a second',
      ratio: rate / 400,
      goal: '≥ 1 ×',
      met: rate >= 400,
      detail,
    },
    {
      what: `processor time of a transaction from queue to settled, ${shape}`,
      against: '30 ms',
      ratio: each / 30,
      goal: '≤ 1 ×',
      met: each <= 30,
      detail,
    },
  ]
}

/** In a child process: an instance of a service, which does nothing but run the queue. */
export async function runQueue(port: number, node: NodeFacts, options: QueueOptions): Promise<QueueCost> {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  const { engine, payouts } = openQueue(pool, node, options)
  await engine.connection.connect()
  const stopped = new AbortController()
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const running = payouts.run({ signal: stopped.signal })
  await until(() => areSettled(pool, node, options.account))
  const seconds = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(before)
  const { attempts } = await payouts.metrics()
  stopped.abort()
  await running
  await engine.dispose()
  await pool.end()
  return { seconds, time: (user + system) / 1_000, count: attempts.pay }
}

/** One statement, whose rows stay in the server: what it takes here is no cost of the queue. */
async function areSettled(pool: pg.Pool, node: NodeFacts, account: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from payouts.payout where network = 'simnet' and wallet = $1 and state <> 'settled' limit 1`,
    [node.accounts[account]?.address],
  )
  return rowCount === 0
}

/** From the start of a process with open payments until its first new payment is at the node. */
async function measureStart(pool: pg.Pool, node: NodeFacts): Promise<BenchRow> {
  const options = { account: 3, chainDepth: 10, minConfirmations: 500, splitTo: 100 } // 50 s: nothing settles meanwhile
  const first = openQueue(pool, node, options)
  const count = OPEN * BATCH
  await storeQueued(pool, node, options.account, count)
  await first.engine.connection.connect()
  const stopped = new AbortController()
  const running = first.payouts.run({ signal: stopped.signal })
  await until(async () => {
    const { states } = await first.payouts.metrics()
    return (states.queued ?? 0) + (states.waiting ?? 0) === 0
  })
  stopped.abort()
  await running
  const { states } = await first.payouts.metrics()
  await first.engine.dispose()
  const open = count - (states.settled ?? 0)
  const next = openQueue(pool, node, options)
  await next.payouts.pay('new', { address: recipientOf(node), amount: KAS })
  await next.engine.connection.connect()
  const ended = new AbortController()
  const begun = performance.now()
  const again = next.payouts.run({ signal: ended.signal })
  await until(async () => /relayed|accepted|settled/.test((await next.payouts.get('new'))?.state ?? ''))
  const seconds = (performance.now() - begun) / 1_000
  ended.abort()
  await again
  await next.engine.dispose()
  return {
    what: 'start of a queue with open payouts, until its first new payment is at the node',
    against: '10 s',
    ratio: seconds / 10,
    goal: '≤ 1 ×',
    met: seconds <= 10,
    detail: `${seconds.toFixed(1)} s; ${open} of ${count} payouts were open`,
  }
}

/** Stores payouts by one statement, as a program in another language does. */
async function storeQueued(pool: pg.Pool, node: NodeFacts, account: number, count: number): Promise<void> {
  await pool.query(
    `insert into payouts.payout (network, id, wallet, address, amount)
      select 'simnet', 'queued ' || $1 || ' ' || id, $2, $3, $4::text::bigint from generate_series(1, $5::text::integer) as id`,
    [String(account), node.accounts[account]?.address, recipientOf(node), String(KAS), String(count)],
  )
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 200))
}
