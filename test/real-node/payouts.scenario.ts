import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import type { ChainEngine } from '../../src/engine/engine.js'
import { createPayouts } from '../../src/payouts/create-payouts.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { expectPaidOnceUnderKills, expectSettled } from '../payouts/support/kills.js'
import { withWorkers } from '../payouts/support/workers.js'
import { startKaspad, type Kaspad } from './kaspad.js'
import {
  CONFIRMATIONS,
  createEngine,
  createRecipients,
  fundAccounts,
  KAS,
  mine,
  mineMany,
  recipient,
  settled,
  startQueue,
  timesPaid,
  until,
} from './payout-queue.js'

/** Processes that are killed; 200 before a release. */
const KILLS = Number(process.env.KILLS ?? 200)

let takeAccount: Awaited<ReturnType<typeof fundAccounts>>
let node: Kaspad
let engine: ChainEngine
let cluster: PostgresCluster | undefined
let pool: pg.Pool

beforeAll(async () => {
  node = await startKaspad()
  takeAccount = await fundAccounts(8, node)
  engine = createEngine(node.url)
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
        timesPaid: (addresses) => timesPaid(addresses, node),
        async mine() {
          await mine(node)
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
          await mine(node)
        }
        worker?.signal(round % 2 === 0 ? 'SIGSTOP' : 'SIGCONT')
        workers[(round + 2) % workers.length]?.signal('SIGCONT')
      }
      for (const worker of workers) worker.signal('SIGCONT')
      await expectSettled({
        ...{ payouts, recipient: to, count, mine: () => mine(node) },
        timesPaid: (addresses) => timesPaid(addresses, node),
      })
    }))
})

it('pays once where the mempool is emptied, and through a node with an older folder alone', async () => {
  const account = takeAccount()
  const journal = memoryJournal()
  const queue = startQueue(account, journal, [node])
  const first = await queue.pay(30n * KAS)
  await expect.poll(() => queue.stateOf(first)).toBe('relayed')
  await node.kill()
  const older = await startKaspad({ copyOf: node.folder })
  await node.start()
  await settled(queue, [first], node)
  const second = await queue.pay(KAS)
  await settled(queue, [second], node)
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
  const queue = startQueue(account, memoryJournal(), [node])
  const ids = [await queue.pay(), await queue.pay(2n * KAS)]
  await settled(queue, ids, node)
  for (let block = 0; block < 4; block++) ids.push(await queue.pay())
  await settled(queue, ids, node)
  await mineMany(200, other)
  await node.syncWith(other) // what was settled is undone
  await settled(queue, ids, node)
  expect((await queue.payouts.metrics()).unsettled).toBeGreaterThan(0)
  expect(await timesPaid(ids.map(recipient), node)).toEqual(ids.map(() => 1))
  await queue.end()
  await other.close()
})

it('cancels one payout of a batch, and speeds the others up on another node', async () => {
  const account = takeAccount()
  await node.stop()
  const other = await startKaspad({ copyOf: node.folder })
  await node.start()
  const journal = memoryJournal()
  const queue = startQueue(account, journal, [node])
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
  await mineMany(60, other)
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
    if (payment % 4 === 0) await mine(node)
    if (payment === 15) {
      await node.kill()
      await node.start()
    }
  }
  await settled(queue, ids, node)
  expect(await timesPaid(ids.map(recipient), node)).toEqual(ids.map(() => 1))
  await queue.end()
})

it('pays once after a conflict by another program with the key, while both branches win in turn', async () => {
  const account = takeAccount()
  await node.stop()
  const [rivals, first] = [await startKaspad({ copyOf: node.folder }), await startKaspad({ copyOf: node.folder })]
  await node.start()
  const journal = memoryJournal()
  const queue = startQueue(account, journal, [node])
  const id = await queue.pay(3n * KAS)
  await settled(queue, [id], node)
  await first.syncWith(node) // it keeps this branch
  await first.stop()
  const rival = startQueue(account, memoryJournal(), [rivals])
  const foreign = await rival.pay(2n * KAS) // from the same UTXO
  await settled(rival, [foreign], rivals)
  await rival.end()
  await mineMany(100, rivals)
  await node.syncWith(rivals)
  await until(queue, [id], ['conflicting'], node)
  expect(await timesPaid([recipient(id), recipient(foreign)], node)).toEqual([0, 1])
  const [debit] = (await journal.access({ network: 'simnet', name: account.address }).wallet()).debits
  await queue.payouts.acknowledge(debit?.transactionId ?? '')
  await settled(queue, [id], node)
  const kindsOf = async () => (await queue.payouts.get(String(id)))?.attempts.map(({ kind }) => kind)
  expect(await kindsOf()).toEqual(['pay', 'again'])
  expect(await timesPaid([recipient(id), recipient(foreign)], node)).toEqual([1, 1])

  await first.start()
  await mineMany(500, first)
  await node.syncWith(first)
  await settled(queue, [id], node)
  expect(await timesPaid([recipient(id), recipient(foreign)], node)).toEqual([1, 0])
  await queue.end()
  await Promise.all([rivals.close(), first.close()])
})
