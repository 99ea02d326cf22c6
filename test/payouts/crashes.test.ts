import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { SessionDropped, type PayoutError } from '../../src/errors/payout-error.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { createPostgresSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { JournalSession, PayoutJournal } from '../../src/streams/payouts/journal.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { createProxy } from '../feed/support/proxy.js'
import { faultsOf, type Sql } from '../feed/support/tables.js'
import { FULL, runs } from '../full.js'
import {
  createQueue,
  KAS,
  openRecipients,
  runFeed,
  startNode,
  type TestOptions,
  type TestQueue,
} from './support/queue.js'
import { withoutLease } from './support/without-lease.js'

let devnode: Devnode
let recipients: Account
let queues: TestQueue[]

beforeEach(async () => {
  devnode = await startNode()
  recipients = await openRecipients()
  queues = []
})
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.end()))
  await devnode.close()
})

function start(journal: PayoutJournal, options?: TestOptions): TestQueue {
  const queue = createQueue([devnode], journal, options)
  queues.push(queue)
  queue.run()
  return queue
}

/** A journal whose calls fail at random; writes before they are made, or after: the reply of a `COMMIT` is lost. */
function withFailures(journal: PayoutJournal, random: () => number, failures: { left: number }): PayoutJournal {
  const fail = (): boolean => failures.left > 0 && random() < 0.3 && failures.left-- > 0
  return {
    ...journal,
    async open(scope, signal) {
      const session = await journal.open(scope, signal)
      let drop: (error: Error) => void = () => undefined
      const dropped = new Promise<never>((_, reject) => (drop = reject))
      dropped.catch(() => undefined)
      const cut = (): never => {
        const error = new SessionDropped(new Error('the connection was cut'))
        drop(error)
        throw error
      }
      const write: JournalSession['write'] = async (change) => {
        if (fail()) cut()
        const isWritten = await session.write(change)
        if (fail()) cut()
        return isWritten
      }
      const access = journal.access(scope)
      const read = <T>(call: () => Promise<T>): Promise<T> => (fail() ? Promise.resolve().then(cut) : call())
      return {
        add: (...request) => access.add(...request),
        find: (ids) => read(() => access.find(ids)),
        list: (query) => read(() => access.list(query)),
        due: (limit) => read(() => access.due(limit)),
        groups: (query) => read(() => access.groups(query)),
        wallet: () => read(() => access.wallet()),
        taken: (outpoints) => read(() => access.taken(outpoints)),
        events: (after, limit) => access.events(after, limit),
        counts: () => access.counts(),
        write,
        dropped,
        close: () => session.close(),
      }
    },
  }
}

const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

async function expectPaidOnce(queue: TestQueue, ids: readonly number[]): Promise<void> {
  await pollMined(devnode, async () =>
    Promise.all(ids.map(async (id) => (await queue.payouts.get(String(id)))?.state)),
  ).toEqual(ids.map(() => 'settled'))
  expect(ids.map(timesPaid)).toEqual(ids.map(() => 1))
}

const pay = (queue: TestQueue, id: number) =>
  queue.payouts.pay(String(id), { address: recipients.address(id), amount: KAS })

it('pays each payout once while calls of the journal and submissions fail at random', async () => {
  const random = createRandom(7)
  const failures = { left: runs(10, 100) }
  const queue = start(withFailures(memoryJournal(), random, failures))
  await devnode.mine(3)
  let next = 0
  while (failures.left > 0) {
    await pay(queue, next++)
    if (random() < 0.3) devnode.faults.dropReply({ method: 'submitTransaction' })
    if (random() < 0.3) devnode.faults.failCall({ method: 'submitTransaction', message: 'the mempool is full' })
    await expect
      .poll(async () => {
        await devnode.mine()
        if (random() < 0.1) await devnode.reorg({ depth: 1 })
        return (await queue.payouts.get(String(next - 1)))?.state
      })
      .toBe('settled')
    devnode.faults.clear()
  }
  await expectPaidOnce(
    queue,
    Array.from({ length: next }, (_, id) => id),
  )
})

it('pays each payout once while instances end and start at random', async () => {
  const random = createRandom(11)
  const journal = memoryJournal()
  const watcher = createQueue([devnode], journal)
  queues.push(watcher)
  await devnode.mine(3)
  const count = runs(4, 100)
  for (let kill = 0; kill < count; kill++) {
    const queue = start(journal)
    await pay(watcher, 2 * kill)
    await pay(watcher, 2 * kill + 1)
    let steps = Math.floor(random() * 6)
    while (steps-- > 0) await devnode.mine()
    await expect.poll(async () => (await watcher.payouts.list({ state: 'queued' })).length < 2).toBe(true)
    await queue.end()
  }
  start(journal)
  await expectPaidOnce(
    watcher,
    Array.from({ length: 2 * count }, (_, id) => id),
  )
})

describe.skipIf(!hasPostgres)('on PostgreSQL (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool
  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool(undefined, 30)
  })
  afterAll(() => cluster.stop())

  it('pays each payout once from two instances that both work', async () => {
    const journal = () => withoutLease(postgresJournal({ pool, schema: 'leaseless' }))
    const [first] = [start(journal()), start(journal())]
    await devnode.mine(3)
    const ids = Array.from({ length: runs(20, 300) }, (_, id) => id)
    for (const id of ids) {
      await pay(first, id)
      if (id % 5 === 0) await devnode.mine()
    }
    await expectPaidOnce(first, ids)
  })

  it('lets another instance go on where the one that works is cut off, and pays each payout once', async () => {
    const proxy = await createProxy(cluster.port)
    const lease = { schema: 'cut_off', leaseTimeout: 300, statementTimeout: 1_500 }
    const first = start(postgresJournal({ pool: cluster.pool(proxy.port), ...lease }))
    await devnode.mine(3)
    await expect.poll(async () => (await first.payouts.metrics()).isWorking).toBe(true)
    const second = start(postgresJournal({ pool, ...lease }))
    const ids = Array.from({ length: runs(6, 60) }, (_, id) => id)
    for (const id of ids) {
      await pay(second, id)
      if (id % 3 === 1) proxy.freeze()
      await devnode.mine()
    }
    await expectPaidOnce(second, ids)
    proxy.cut()
    await Promise.all([first.stop(), second.stop()])
    await proxy.close()
  })

  it.runIf(FULL)(
    'goes on with another feed where the one that works is cut off, after a queue alone, and pays each once',
    async () => {
      const proxy = await createProxy(cluster.port)
      const timing = { leaseTimeout: 300, statementTimeout: 1_500 }
      const journalOn = (of: pg.Pool) => postgresJournal({ pool: of, schema: 'joined', ...timing })
      const alone = start(journalOn(pool))
      await devnode.mine(3)
      await pay(alone, 0)
      await expectPaidOnce(alone, [0])
      const feeds = [cluster.pool(proxy.port), pool].map((of) => {
        const sink = createPostgresSink({ pool: of, schema: 'joined_feed', ...timing })
        return runFeed(createQueue([devnode], journalOn(of)), sink, { watch: 'table', minConfirmations: 1 })
      })
      await pay(alone, 1)
      await expectPaidOnce(alone, [0, 1])
      await alone.stop()
      const ids = Array.from({ length: runs(4, 60) }, (_, id) => id + 2)
      for (const id of ids) {
        await pay(alone, id)
        if (id % 4 === 3) proxy.freeze()
        await expectPaidOnce(alone, [id])
      }
      expect(feeds.map(({ failure }) => failure())).toEqual([undefined, undefined])
      const sql: Sql = async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows
      const hot = { address: devnode.accounts[0]!.address, genesis: 1_000n * KAS }
      await expect.poll(() => devnode.mine().then(() => faultsOf(sql, devnode, [hot], 'joined_feed'))).toEqual([])
      proxy.cut()
      await Promise.all(feeds.map((feed) => feed.stop()))
      await proxy.close()
    },
  )

  it('signs nothing after a restore from a backup until each payment that it lacks is acknowledged', async () => {
    const tables = ['group', 'attempt', 'claim', 'cursor', 'debit', 'event'].map((name) => `payout_${name}`)
    const copies = ['payout', ...tables].map((name) => [`restored.${name}`, `public.backup_${name}`] as const)
    const journal = () => postgresJournal({ pool, schema: 'restored' })
    const before = start(journal())
    await devnode.mine(3)
    await pay(before, 1)
    await expectPaidOnce(before, [1])
    await pay(before, 4) // in the backup it is signed
    await expect.poll(async () => (await before.payouts.get('4'))?.state).toBe('relayed')
    for (const [table, copy] of copies) await pool.query(`create table ${copy} as table ${table}`)
    await pay(before, 2)
    await expectPaidOnce(before, [1, 4, 2])
    await pay(before, 3)
    await expect.poll(async () => (await before.payouts.get('3'))?.state).toBe('relayed') // in the mempool
    await before.end()
    const client = await pool.connect()
    await client.query('set session_replication_role = replica') // neither triggers nor keys to other tables
    await client.query(`truncate ${copies.map(([table]) => table).join(', ')}`)
    for (const [table, copy] of copies)
      await client.query(`insert into ${table} overriding system value select * from ${copy}`)
    client.release(true)

    const queue = createQueue([devnode], journal())
    queues.push(queue)
    let problem: PayoutError | null = null
    queue.payouts.status$.subscribe((status) => (problem = status.problem))
    await Promise.all([2, 3, 5].map((id) => pay(queue, id))) // by the shop, whose own rows have them
    queue.run()
    const lacking = new Map<string, readonly string[]>()
    while (lacking.size < 2) {
      await expect.poll(() => problem !== null && !lacking.has(problem.transactionId ?? '')).toBe(true)
      const { transactionId = '', ids, code } = problem as unknown as PayoutError
      expect(code).toBe('foreign-debit')
      lacking.set(transactionId, ids)
      expect((await queue.payouts.get('5'))?.state).toBe('queued')
      for (const id of ids) await queue.payouts.cancel(id)
      await queue.payouts.acknowledge(transactionId)
    }
    expect([...lacking.values()].flat().sort()).toEqual(['2', '3'])
    await expectPaidOnce(queue, [1, 4, 5])
    expect([2, 3].map(timesPaid)).toEqual([1, 1])
  })

  it.each([
    ['by itself, in another process', true],
    ['as requested, in the process that has signed it', false],
  ])('replaces no payment whose stored record was changed: %s', async (_, isRestarted) => {
    const schema = `changed_${isRestarted}`
    const fee = { bumpAfter: isRestarted ? 1 : 1_000_000 }
    let queue = start(postgresJournal({ pool, schema }))
    await devnode.mine(3)
    await pay(queue, 1)
    const stored = async () => (await queue.payouts.get('1'))?.attempts
    await expect.poll(stored).toMatchObject([{ outcome: 'relayed' }])
    if (isRestarted) await queue.stop()
    const { rows } = await pool.query<{ signed: SerializedTransaction }>(`select signed from ${schema}.payout_attempt`)
    const [{ signed }] = rows as [(typeof rows)[number]]
    const [input] = signed.inputs
    const unspent = (await queue.engine.rpc.getUtxosByAddresses([devnode.accounts[0]!.address])).find(
      ({ outpoint }) => outpoint.transactionId !== input?.previousOutpoint.transactionId,
    )
    const inputs = [{ ...input, previousOutpoint: unspent!.outpoint }] // a replacement of this one pays a second time
    await pool.query(`update ${schema}.payout_attempt set signed = $1`, [JSON.stringify({ ...signed, inputs })])
    if (isRestarted) queue = start(postgresJournal({ pool, schema }), { fee })
    else await queue.payouts.bump('1', { feeRate: 500 })
    if (isRestarted)
      await expect
        .poll(stored)
        .toMatchObject([{ outcome: 'unknown', lastResponse: expect.stringContaining('restore') }])
    await pay(queue, 2)
    await expect.poll(async () => (await queue.payouts.get('2'))?.state).toBe('relayed')
    await expectPaidOnce(queue, [1, 2])
    expect(await stored()).toMatchObject([{ kind: 'pay' }])
  })

  it('pays each payout once while the server restarts', async () => {
    const queue = start(postgresJournal({ pool, schema: 'restarts', leaseTimeout: 500 }))
    await devnode.mine(3)
    const ids = Array.from({ length: runs(6, 60) }, (_, id) => id)
    for (const id of ids) {
      await expect
        .poll(() =>
          pay(queue, id).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      if (id % 3 === 1) await cluster.restart()
      await devnode.mine()
    }
    await expectPaidOnce(queue, ids)
  })
})
