import type { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import type { FeedOptions } from '../../src/feed/options.js'
import { createPgliteSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { decodeCursor } from '../../src/model/chain-cursor/cursor.js'
import { pgliteJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { PgliteClient } from '../../src/sql/locked-pglite.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import type { PayoutStateName } from '../../src/streams/payouts/progress.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { createPglite } from '../feed/support/new-pglite.js'
import { emptyTables, faultsOf, type Sql } from '../feed/support/tables.js'
import { FULL, runs } from '../full.js'
import {
  createQueue,
  KAS,
  openRecipients,
  runFeed,
  startNode,
  type TestFeed,
  type TestOptions,
  type TestQueue,
} from './support/queue.js'

const BALANCE = 1_000n * KAS
const schema = 'joined'

let database: PGlite
let devnode: Devnode
let recipients: Account
let hot: string
/** Stores and reads payouts, and never works. */
let watcher: TestQueue
/** What each test ends, the latest first. */
let ends: (() => Promise<void>)[]

beforeAll(async () => {
  database = await createPglite()
})
afterAll(() => database.close())
beforeEach(async () => {
  devnode = await startNode(BALANCE)
  recipients = await openRecipients()
  for (const name of [schema, `${schema}_payouts`]) await emptyTables(sql, name)
  hot = devnode.accounts[0]!.address
  watcher = createQueue([devnode], journalOn(database))
  ends = [() => devnode.close(), () => watcher.end()]
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
})

const journalOn = (client: PgliteClient): PayoutJournal =>
  pgliteJournal({ database: client, schema: `${schema}_payouts` })
const sql: Sql = async (text, values) => (await database.query<Record<string, unknown>>(text, values)).rows

interface Settings extends Partial<FeedOptions> {
  readonly queueOptions?: TestOptions
  readonly client?: PgliteClient
  readonly journal?: PayoutJournal
}

/** A feed, by default with the queue. */
function run({ queueOptions, client = database, journal = journalOn(client), ...options }: Settings = {}): TestFeed {
  const sink = createPgliteSink({ database: client, schema })
  const feed = runFeed(createQueue([devnode], journal, queueOptions), sink, options)
  ends.push(() => feed.stop())
  return feed
}

/** A queue without a feed. */
function runAlone(journal = journalOn(database)): TestQueue {
  const queue = createQueue([devnode], journal)
  ends.push(() => queue.end())
  queue.run()
  return queue
}

const pay = (id: number) => watcher.payouts.pay(`w${id}`, { address: recipients.address(id), amount: KAS + BigInt(id) })
const stateOf = async (id: number): Promise<PayoutStateName | undefined> => (await watcher.payouts.get(`w${id}`))?.state
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Mines until payouts are in a state; calls `step` after each block. */
async function mineUntil(ids: readonly number[], state: PayoutStateName, step = (): unknown => undefined) {
  await expect
    .poll(async () => {
      await devnode.mine()
      await step()
      return Promise.all(ids.map(stateOf))
    })
    .toEqual(ids.map(() => state))
}

/** The blocks up to which feed and queue have read the chain, of one moment. */
async function positions(): Promise<{ readonly feed: string; readonly queue: string | undefined }> {
  const [row] = await sql(
    `select f.value as feed, p.value as queue from ${schema}.cursor as f left join ${schema}_payouts.payout_cursor as p on true`,
  )
  const blockOf = (cursor: unknown): string => decodeCursor(cursor, 'simnet').tip.hash
  return { feed: blockOf(row?.feed), queue: typeof row?.queue === 'string' ? blockOf(row.queue) : undefined }
}

const feedScore = async (): Promise<number> =>
  Number((await sql(`select blue_score::text as score from ${schema}.cursor`))[0]?.score)

async function expectOnePosition(): Promise<void> {
  const { feed, queue } = await positions()
  expect(queue).toBe(feed)
}

/** Each is paid once, and the rows of the feed are those of the chain. */
async function expectRight(ids: readonly number[], watched = [hot]): Promise<void> {
  expect(ids.map(timesPaid)).toEqual(ids.map(() => 1))
  const expected = watched.map((address) => ({ address, genesis: address === hot ? BALANCE : 0n }))
  await expect.poll(() => faultsOf(sql, devnode, expected, schema)).toEqual([])
}

const DEPTHS = [
  ['blocks not as deep as those of the queue', 1, 3],
  ['blocks as deep as those of the queue', 2, 2],
  ['the chain to its end', 0, 2],
] as const

it.each(DEPTHS.slice(0, FULL ? undefined : 1))(
  'settles with the rows of a feed that reads %s, and takes back with them',
  async (_, minConfirmations, depth) => {
    const customer = recipients.address(0) // its deposits are watched, too
    const { queue } = run({ watch: [customer], minConfirmations, queueOptions: { minConfirmations: depth } })
    await devnode.mine(3)
    const height = devnode.expected.chain().length
    await Promise.all([0, 1].map(pay))
    const depths = new Map<string, number>()
    const noteDepths = async (): Promise<void> => {
      const score = await feedScore()
      for (const payout of await watcher.payouts.list({ state: 'settled' }))
        if (payout.state === 'settled' && !depths.has(payout.id))
          depths.set(payout.id, score - Number(payout.blueScore))
    }
    await mineUntil([0, 1], 'settled', noteDepths)
    expect([...depths.values()].map((deep) => deep >= depth - minConfirmations)).toEqual([true, true])
    await expectOnePosition()
    await devnode.mine(minConfirmations)
    await expectRight([0, 1], [hot, customer])
    const { payouts } = queue
    await expect.poll(async () => (await payouts.metrics()).settleTimes.count).toBe(2)

    await devnode.reorg({ depth: devnode.expected.chain().length - height })
    await expect.poll(() => devnode.mine().then(() => payouts.metrics())).toMatchObject({ unsettled: 2 })
    await mineUntil([0, 1], 'settled')
    await expectOnePosition()
    await devnode.mine(minConfirmations)
    await expectRight([0, 1], [hot, customer])
  },
)

/** A client whose transactions fail: before they are committed, or after, as where the reply is lost. */
function withFailures(random: () => number, failures: { left: number }): PgliteClient {
  const fail = (): boolean => failures.left > 0 && random() < 0.05 && failures.left-- > 0
  const cut = (): never => {
    throw new Error('Connection terminated unexpectedly')
  }
  return {
    async transaction(work) {
      const [isBefore, isAfter] = [fail(), fail()]
      const result = await database.transaction(async (transaction) => {
        const written = await work(transaction)
        return isBefore ? cut() : written
      })
      return isAfter ? cut() : result
    },
    listen: (channel, callback) => database.listen(channel, callback),
    close: () => Promise.resolve(),
  }
}

it('pays each payout once, and keeps one position, while transactions fail before and after their commit', async () => {
  const random = createRandom(5)
  const failures = { left: runs(4, 120) }
  const { failure } = run({ client: withFailures(random, failures) })
  await devnode.mine(3)
  let next = 0
  while (failures.left > 0) {
    await pay(next++)
    await mineUntil([next - 1], 'settled', async () => {
      if (random() < 0.1) await devnode.reorg({ depth: 1 })
      await expectOnePosition()
    })
  }
  expect(failure()).toBeUndefined()
  await expectRight(Array.from({ length: next }, (_, id) => id))
})

it('goes on alone where the feed has ended, and with the feed where the queue was alone', async () => {
  const first = run()
  await devnode.mine(3)
  await pay(1)
  await mineUntil([1], 'settled')
  await pay(2)
  await expect.poll(() => stateOf(2)).toBe('relayed')
  await first.stop()
  const alone = runAlone()
  await mineUntil([2], 'settled')
  await pay(3)
  await mineUntil([3], 'settled')
  await alone.end() // ahead of the feed
  const second = run()
  await pay(4)
  await mineUntil([4], 'settled')
  await expectOnePosition()
  await pay(5)
  await expect.poll(() => stateOf(5)).toBe('relayed')
  await second.stop()

  const feedAlone = run({ payouts: undefined, watch: [hot] })
  const before = await feedScore()
  await devnode.mine(110) // more than a batch
  await expect.poll(() => devnode.mine().then(feedScore)).toBeGreaterThan(before + 110)
  expect(await stateOf(5)).toBe('relayed') // behind the feed
  await feedAlone.stop()
  run()
  await pay(6)
  await mineUntil([5, 6], 'settled')
  await expectOnePosition()
  await expectRight([1, 2, 3, 4, 5, 6])
})

it('works by its own run() or for a feed, never both at once', async () => {
  const queue = createQueue([devnode], journalOn(database))
  const sink = createPgliteSink({ database, schema })
  queue.run()
  await expect.poll(runFeed(queue, sink).failure).toMatchObject({
    ...{ name: 'ChainError', code: 'invalid-argument', argument: 'payouts' },
    message: 'run() of this queue works',
  })
  await queue.stop()
  const feed = runFeed(queue, sink)
  ends.push(() => feed.stop())
  await expect(queue.payouts.run()).rejects.toMatchObject({
    ...{ name: 'ChainError', code: 'invalid-argument', argument: 'payouts', message: 'A feed runs this queue' },
    hint: 'createFeed({ …, payouts }) works for the queue in place of payouts.run(): call one of them, and the other after its end.',
  })
  await devnode.mine(3)
  await pay(1)
  await mineUntil([1], 'settled') // the feed goes on
  await expectOnePosition()
  await expectRight([1])
})

it.runIf(FULL)('delivers beside a queue that works alone, and takes over when that ends', async () => {
  const journal = journalOn(database)
  const alone = runAlone(journal)
  await devnode.mine(3)
  await pay(1)
  await mineUntil([1], 'settled')
  const { queue } = run({ journal })
  let phase = ''
  queue.payouts.status$.subscribe((status) => (phase = status.phase))
  await pay(2)
  await mineUntil([2], 'settled')
  await expectRight([1, 2])
  expect(phase).toBe('stand-by')
  await alone.stop()
  await pay(3)
  await mineUntil([3], 'settled')
  expect(phase).toBe('running')
  await expectOnePosition()
  await expectRight([1, 2, 3])
})

it('watches the addresses of the queue again where a program deletes them from the table', async () => {
  run({ watch: 'table' })
  await devnode.mine(3)
  await pay(1)
  await mineUntil([1], 'settled')
  await pay(2)
  await expect.poll(() => stateOf(2)).toBe('relayed')
  await sql(`delete from ${schema}.watched_address where address = $1`, [hot])
  await pay(3)
  await mineUntil([2, 3], 'settled')
  await expectOnePosition()
  await expectRight([1, 2, 3])
})

it('signs nothing before it has read the chain up to where the mempool was read', async () => {
  const watch = [recipients.address(1)] // a recipient that the feed watches is one of the debit, too
  const first = run({ watch, minConfirmations: 2 })
  await devnode.mine(3)
  await pay(0)
  await mineUntil([0], 'settled')
  const [backup] = await sql(`select value from ${schema}_payouts.payout_cursor`)
  await pay(1)
  await expect.poll(() => stateOf(1)).toBe('relayed')
  await devnode.mine(2)
  await first.stop()
  expect([await stateOf(1), timesPaid(1)]).toEqual(['relayed', 1]) // not deep enough for the feed
  await restore(backup?.value)
  const { queue } = run({ watch, minConfirmations: 2 })
  let problem: unknown
  queue.payouts.status$.subscribe((status) => (problem = status.problem))
  await expect.poll(async () => (await queue.payouts.metrics()).isWorking).toBe(true)
  await expect.poll(() => devnode.mine().then(() => problem)).toMatchObject({ code: 'foreign-debit', ids: ['w1'] })
  expect([await stateOf(1), timesPaid(1)]).toEqual(['queued', 1])
})

/** Makes the rows those of a backup that lacks the second payment, with its position. */
async function restore(cursor: unknown): Promise<void> {
  const s = `${schema}_payouts`
  await sql(`update ${s}.payout_cursor set value = $1`, [cursor])
  await sql(`update ${s}.payout set grp = null, state = 'queued' where id = 'w1'`)
  const [{ id }] = (await sql(`select id from ${s}.payout_group where state = 'open'`)) as [{ id: string }]
  for (const table of ['payout_claim', 'payout_attempt']) await sql(`delete from ${s}.${table} where grp = $1`, [id])
  await sql(`delete from ${s}.payout_group where id = $1`, [id])
}
