import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/random.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import { createPayouts, type Payouts } from '../../src/payouts/create-payouts.js'
import type { PayoutsOptions } from '../../src/payouts/options.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import { newAccount } from '../contract/node/support/payment.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { expectPaidOnceUnderKills, expectSettled } from '../payouts/support/kills.js'
import { withWorkers } from '../payouts/support/workers.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const KAS = 100_000_000n
/** More than the maturity of coinbase outputs. */
const HISTORY = 1_060
/** Processes that are killed; 200 before a release. */
const KILLS = Number(process.env.KILLS ?? 200)
const CONFIRMATIONS = 5

const miner = newAccount(PREFIX)
const hot = Array.from({ length: 8 }, () => newAccount(PREFIX))
let nextAccount = 0
let node: Kaspad
let engine: ChainEngine
let cluster: PostgresCluster | undefined
let pool: pg.Pool

beforeAll(async () => {
  node = await startKaspad()
  for (const { address } of hot) await node.mine(12, address)
  await node.mine(HISTORY, miner.address)
  engine = createEngine(node)
  await engine.wasm.init()
  await engine.connection.connect()
  if (!hasPostgres) return
  cluster = await startPostgres()
  pool = cluster.pool()
})
afterAll(async () => {
  await engine.dispose()
  await cluster?.stop()
  await node.close()
})

const createEngine = (...nodes: readonly Kaspad[]): ChainEngine =>
  createChainEngine({
    network: 'simnet',
    urls: nodes.map(({ url }) => url),
    sdk: light,
    reconnect: { maxRetries: Infinity, baseDelay: 50, maxDelay: 500 },
  })

/** An address with UTXOs, which no other test uses. */
const takeAccount = () => hot[nextAccount++]!

/** A new address for each id. */
function createRecipients(): (id: number) => string {
  const recipients = new Map<number, string>()
  return (id) => {
    const known = recipients.get(id) ?? newAccount(PREFIX).address
    recipients.set(id, known)
    return known
  }
}
const recipient = createRecipients()
let nextId = 0

/** Outputs that the chain has for each address: recipients never spend. */
async function timesPaid(addresses: readonly string[], by = node): Promise<readonly number[]> {
  const { entries } = await by.client().call('getUtxosByAddresses', { addresses: [...addresses] })
  return addresses.map((address) => entries.filter((entry) => entry.address === address).length)
}

/** A template is kept for a second: slower than that, each block has what was submitted before it. */
const mine = async (by = node): Promise<void> => {
  await new Promise((wait) => setTimeout(wait, 150))
  await by.mine(1, miner.address)
}

interface TestQueue {
  readonly payouts: Payouts
  readonly pay: (amount?: bigint) => Promise<number>
  readonly stateOf: (id: number) => Promise<string | undefined>
  readonly end: () => Promise<void>
}

function startQueue(
  account: ReturnType<typeof newAccount>,
  journal: PayoutJournal,
  nodes: readonly Kaspad[] = [node],
  options: Partial<Omit<PayoutsOptions, 'engine' | 'journal' | 'privateKeys' | 'signer'>> = {},
): TestQueue {
  const own = createEngine(...nodes)
  const payouts = createPayouts({
    engine: own,
    journal,
    addresses: [account.address],
    privateKeys: [account.privateKey],
    minConfirmations: CONFIRMATIONS,
    submitInterval: 500,
    batch: { maxWait: 50, splitTo: 2 },
    ...options,
  })
  const stopped = new AbortController()
  own.connection.connect().catch(() => undefined) // it is repeated
  const running = payouts.run({ signal: stopped.signal })
  return {
    payouts,
    async pay(amount = KAS) {
      const id = nextId++
      await payouts.pay(String(id), { address: recipient(id), amount })
      return id
    },
    stateOf: async (id) => (await payouts.get(String(id)))?.state,
    async end() {
      stopped.abort()
      await running
      await own.dispose()
    },
  }
}

const until = (queue: TestQueue, ids: readonly number[], states: readonly string[], by = node) =>
  expect
    .poll(
      async () => {
        await mine(by)
        return Promise.all(ids.map(queue.stateOf))
      },
      { timeout: 120_000 },
    )
    .toEqual(states)

const settled = (queue: TestQueue, ids: readonly number[], by = node) =>
  until(
    queue,
    ids,
    ids.map(() => 'settled'),
    by,
  )

describe.skipIf(!hasPostgres)('processes on PostgreSQL', () => {
  const settingsOf = (schema: string, hasLease: boolean) => {
    const { address, privateKey } = takeAccount()
    const queue = createPayouts({
      ...{ engine, journal: postgresJournal({ pool, schema }), addresses: [address], privateKeys: [privateKey] },
      minConfirmations: CONFIRMATIONS,
    })
    const base = { url: node.url, port: cluster?.port ?? 0, confirmations: CONFIRMATIONS }
    return { payouts: queue, settings: { ...base, schema, address, privateKey, hasLease } }
  }

  it('pay each payout once while they are killed at any statement, and the node at times', { timeout: 3_600_000 }, () =>
    withWorkers(async (start) => {
      const random = createRandom(7)
      await expectPaidOnceUnderKills({
        ...settingsOf('kills', true),
        start,
        kills: KILLS,
        random,
        recipient: createRecipients(),
        timesPaid,
        async mine() {
          await mine()
          if (random() > 0.02) return
          await node.kill() // its mempool is empty then
          await node.start()
        },
      })
    }),
  )

  it('pay each payout once without a lease, while one is stopped and continued', () =>
    withWorkers(async (start) => {
      const { payouts, settings } = settingsOf('leaseless', false)
      const to = createRecipients()
      const workers = [start(settings), start(settings), start(settings)]
      let count = 0
      for (let round = 0; round < 12; round++) {
        const worker = workers[round % workers.length]
        for (let each = 0; each < 5; each++) {
          await payouts.pay(`leaseless ${count}`, { address: to(count++), amount: KAS })
          await mine()
        }
        worker?.signal(round % 2 === 0 ? 'SIGSTOP' : 'SIGCONT')
        workers[(round + 2) % workers.length]?.signal('SIGCONT')
      }
      for (const worker of workers) worker.signal('SIGCONT')
      await expectSettled({ payouts, recipient: to, timesPaid, mine, count })
    }))
})

it('pays once where the mempool is emptied, and through a node with an older folder alone', async () => {
  const account = takeAccount()
  const journal = memoryJournal()
  const queue = startQueue(account, journal)
  const first = await queue.pay(30n * KAS)
  await expect.poll(() => queue.stateOf(first)).toBe('relayed')
  await node.kill()
  const older = await startKaspad({ copyOf: node.folder })
  await node.start()
  await settled(queue, [first])
  const second = await queue.pay(KAS)
  await settled(queue, [second])
  await queue.end()
  const alone = startQueue(account, journal, [older]) // it lists what the first one has spent
  const third = await alone.pay(KAS)
  for (let block = 0; block < 20; block++) await mine(older)
  await older.syncWith(node)
  await settled(alone, [third], older)
  await alone.end()
  const ids = [first, second, third].map(recipient)
  expect(await timesPaid(ids, older)).toEqual([1, 1, 1])
  await older.close()
})

it('pays once through a partition: the branch of its node loses', async () => {
  const account = takeAccount()
  await node.stop()
  const other = await startKaspad({ copyOf: node.folder })
  await node.start()
  const queue = startQueue(account, memoryJournal())
  const ids = [await queue.pay(), await queue.pay(2n * KAS)]
  await settled(queue, ids)
  for (let block = 0; block < 4; block++) ids.push(await queue.pay())
  await settled(queue, ids)
  await other.mine(200, miner.address)
  await node.syncWith(other) // what was settled is undone
  await settled(queue, ids)
  expect((await queue.payouts.metrics()).unsettled).toBeGreaterThan(0)
  expect(await timesPaid(ids.map(recipient))).toEqual(ids.map(() => 1))
  await queue.end()
  await other.close()
})

it('cancels one payout of a batch, and speeds the others up on another node', async () => {
  const account = takeAccount()
  await node.stop()
  const other = await startKaspad({ copyOf: node.folder })
  await node.start()
  const journal = memoryJournal()
  const queue = startQueue(account, journal)
  await queue.payouts.hold()
  const ids = await Promise.all(Array.from({ length: 49 }, () => queue.pay()))
  await queue.payouts.resume()
  await expect.poll(() => Promise.all(ids.map(queue.stateOf))).toEqual(ids.map(() => 'relayed'))
  await queue.payouts.cancel(String(ids[7]))
  await expect
    .poll(async () => (await queue.payouts.get(String(ids[7])))?.attempts.at(-1))
    .toMatchObject({ kind: 'cancel', outcome: 'relayed' })
  await queue.end()
  const moved = startQueue(account, journal, [other]) // it has none of the two
  await moved.payouts.bump(String(ids[0]), { feeRate: 400 })
  await expect
    .poll(async () => (await moved.payouts.get(String(ids[0])))?.attempts.at(-1))
    .toMatchObject({ kind: 'bump', outcome: 'relayed' })
  await other.mine(60, miner.address)
  await node.syncWith(other)
  await until(
    moved,
    ids,
    ids.map((_, at) => (at === 7 ? 'cancelled' : 'settled')),
    other,
  )
  expect(await timesPaid(ids.map(recipient), other)).toEqual(ids.map((_, at) => (at === 7 ? 0 : 1)))
  await moved.end()
  await other.close()
})

it('spends change that is not settled, and pays a chain once through a restart', async () => {
  const account = takeAccount()
  const queue = startQueue(account, memoryJournal(), [node], { batch: { maxWait: 0, splitTo: 1, chainDepth: 10 } })
  const ids: number[] = []
  for (let payment = 0; payment < 30; payment++) {
    ids.push(await queue.pay(12n * KAS))
    if (payment % 4 === 0) await mine()
    if (payment === 15) {
      await node.kill()
      await node.start()
    }
  }
  await settled(queue, ids)
  expect(await timesPaid(ids.map(recipient))).toEqual(ids.map(() => 1))
  await queue.end()
})

it('pays once after a conflict by another program with the key, while both branches win in turn', async () => {
  const account = takeAccount()
  await node.stop()
  const [rivals, first] = [await startKaspad({ copyOf: node.folder }), await startKaspad({ copyOf: node.folder })]
  await node.start()
  const journal = memoryJournal()
  const queue = startQueue(account, journal)
  const id = await queue.pay(3n * KAS)
  await settled(queue, [id])
  await first.syncWith(node) // it keeps this branch
  await first.stop()
  const rival = startQueue(account, memoryJournal(), [rivals])
  const foreign = await rival.pay(2n * KAS) // from the same UTXO
  await settled(rival, [foreign], rivals)
  await rival.end()
  await rivals.mine(100, miner.address)
  await node.syncWith(rivals)
  await until(queue, [id], ['conflicting'])
  expect(await timesPaid([recipient(id), recipient(foreign)])).toEqual([0, 1])
  const [debit] = (await journal.access({ network: 'simnet', name: account.address }).wallet()).debits
  await queue.payouts.acknowledge(debit?.transactionId ?? '')
  await settled(queue, [id])
  const kindsOf = async () => (await queue.payouts.get(String(id)))?.attempts.map(({ kind }) => kind)
  expect(await kindsOf()).toEqual(['pay', 'again'])
  expect(await timesPaid([recipient(id), recipient(foreign)])).toEqual([1, 1])

  await first.start()
  await first.mine(500, miner.address)
  await node.syncWith(first)
  await settled(queue, [id])
  expect(await timesPaid([recipient(id), recipient(foreign)])).toEqual([1, 0])
  await queue.end()
  await Promise.all([rivals.close(), first.close()])
})
