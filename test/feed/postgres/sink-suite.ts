import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createFeed, type Feed } from '../../../src/feed/create-feed.js'
import type { FeedOptions } from '../../../src/feed/options.js'
import { MIGRATIONS } from '../../../src/feed/postgres/schema.js'
import type { FeedSink, FeedStep } from '../../../src/feed/sink.js'
import type { FollowChainOptions } from '../../../src/streams/chain/options.js'
import type { Transfer } from '../../../src/streams/transfers/transfer.js'
import type { FeedStatus } from '../../../src/feed/status.js'
import { createWatchedAddresses } from '../../../src/streams/transfers/watched-addresses.js'
import { boundPayment } from '../../hostile/bound-payment.js'
import { addressOf, stepOf } from '../support/steps.js'
import { emptyTables, faultsOf, type Sql } from '../support/tables.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS

/** A database. */
export interface TestDatabase {
  readonly sql: Sql
  sink(schema: string, retain?: number): FeedSink
  /** How many transactions all sinks have made. */
  transactions(): number
}

let schemas = 0
/** For a test that changes more than rows. */
const newSchema = (): string => `feed_${++schemas}`

/** What holds for every database: run for PGlite and PostgreSQL. */
export function describeSink(name: string, database: () => TestDatabase): void {
  describe(name, () => {
    let devnode: Devnode
    let engine: ChainEngine
    let alice: string
    let bob: string
    let schema: string
    let runs: { readonly controller: AbortController; readonly done: Promise<void> }[]

    beforeEach(async () => {
      devnode = await createDevnode({ blockInterval: 0, accounts: 3, balance: BALANCE })
      ;[alice = '', bob = ''] = devnode.accounts.map(({ address }) => address)
      engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
      await engine.connection.connect()
      schema = 'feed'
      await emptyTables(sql, schema)
      runs = []
    })

    afterEach(async () => {
      for (const { controller } of runs) controller.abort()
      await Promise.allSettled(runs.map(({ done }) => done))
      await engine.dispose()
      await devnode.close()
    })

    const create = (options: Partial<FeedOptions> = {}): Feed =>
      createFeed({ engine, watch: [alice], minConfirmations: 0, sink: database().sink(schema), ...options })

    function start(options: Partial<FeedOptions> = {}) {
      const feed = create(options)
      const controller = new AbortController()
      let status: FeedStatus | undefined
      feed.status$.subscribe((next) => (status = next))
      const done = feed.run({ signal: controller.signal })
      done.catch(() => undefined) // read by the tests that expect it
      runs.push({ controller, done })
      return {
        done,
        status: () => status,
        stop: () => {
          controller.abort()
          return done
        },
      }
    }

    const sql: Sql = (text, values) => database().sql(text.replaceAll('{s}', schema), values)
    const genesis = (...addresses: string[]) => addresses.map((address) => ({ address, genesis: BALANCE }))
    const faults = (...addresses: string[]) => faultsOf(sql, devnode, genesis(...addresses), schema)
    const count = async () => Number((await sql('select count(*)::text as n from {s}.transfer'))[0]?.n)
    /** Waits until the tables equal the node: balances need every block. */
    const untilEqual = (...addresses: string[]) => expect.poll(() => faults(...addresses)).toEqual([])
    const untilTables = () =>
      expect.poll(() => sql("select to_regclass('{s}.cursor')::text as t").then(([row]) => row?.t)).toBeTruthy()

    it('stores opening credits, transfers and balances', async () => {
      start()
      await untilTables()
      await expect.poll(count).toBe(10)
      const id = await devnode.fund(alice, 5n * KAS)
      await devnode.mine()
      await expect.poll(count).toBe(11)
      expect(await faults(alice)).toEqual([])
      const [row] = await sql(
        `select *, amount::text, accepting_blue_score::text from {s}.transfer where transaction_id = $1`,
        [id],
      )
      expect(row).toMatchObject({
        network: 'simnet',
        direction: 'credit',
        outpoint_transaction_id: id,
        address: alice,
        amount: String(5n * KAS),
        accepting_block_hash: devnode.expected.chain().at(-1),
        is_coinbase: false,
        is_opening: false,
        is_change: false,
        is_internal: false,
        accepted_at: expect.any(Date),
        counterparties: [expect.stringMatching(/^kaspasim:/)],
      })
    })

    it('F4 stores outputs of keys that a covenant binds, with the covenant', async () => {
      start({ watch: [bob] })
      await untilTables()
      await expect.poll(count).toBe(10)
      const bound = boundPayment(devnode, [{ address: bob, amount: 7n * KAS }])
      await bound.submit()
      await devnode.mine(2)
      await untilEqual(bob)
      const rows = await sql('select covenant_id, amount::text from {s}.transfer where not is_opening')
      expect(rows).toEqual([{ covenant_id: bound.covenantId, amount: String(7n * KAS) }])
      const opening = await sql('select distinct covenant_id from {s}.transfer where is_opening')
      expect(opening).toEqual([{ covenant_id: null }])
    })

    it('undoes what a reorg removed, also one that happened while it was stopped', async () => {
      const first = start()
      await untilTables()
      await expect.poll(count).toBe(10)
      const dropped = await devnode.fund(alice, 5n * KAS)
      await devnode.mine(3)
      await expect.poll(count).toBe(11)
      await devnode.reorg({ depth: 3, drop: [dropped] })
      await devnode.fund(alice, 3n * KAS)
      await devnode.mine(2)
      await untilEqual(alice)
      await first.stop()

      await devnode.reorg({ depth: 2 })
      await devnode.fund(alice, 7n * KAS)
      await devnode.mine(2)
      const second = start()
      await untilEqual(alice)
      expect(second.status()?.rollbacks).toBeGreaterThan(0)
    })

    it('numbers rows above the wall clock in the order of delivery, and records those that are undone', async () => {
      const began = BigInt(Date.now()) * 1_000n
      const first = start()
      await untilTables()
      await expect.poll(count).toBe(10)
      const dropped = await devnode.fund(alice, 5n * KAS)
      await devnode.mine(3)
      await expect.poll(count).toBe(11)
      const last = async () =>
        BigInt((await sql('select max(sequence)::text as n from {s}.transfer')).map(({ n }) => String(n)).join())
      const before = await last()
      expect(before).toBeGreaterThan(began)
      await devnode.reorg({ depth: 3, drop: [dropped] })
      await devnode.mine(2)
      await untilEqual(alice)
      const undone = await sql(
        'select outpoint_transaction_id as id, transfer_sequence::text as n, (sequence > transfer_sequence) as later from {s}.transfer_undo',
      )
      expect(undone).toEqual([{ id: dropped, n: String(before), later: true }])
      await first.stop()

      const ahead = BigInt(Date.now() + 3_600_000) * 1_000n // of a machine whose clock is ahead
      await sql('update {s}.cursor set sequence = $1', [String(ahead)])
      start()
      await devnode.fund(alice, KAS)
      await devnode.mine(2)
      await untilEqual(alice)
      expect(await last()).toBeGreaterThan(ahead)
      const [doubled] = await sql(`select count(*)::int as n from
        (select sequence from {s}.transfer union all select sequence from {s}.transfer_undo) as a group by sequence having count(*) > 1`)
      expect(doubled).toBeUndefined()
    })

    it('prunes spent credits and their debits, and keeps balances and sums', async () => {
      const OLD = Date.now() - 91 * 86_400_000
      const open = () =>
        database()
          .sink(schema, 90 * 86_400_000)
          .open({ network: 'testnet-10', watch: 'given', signal: new AbortController().signal })
      const session = await open()
      const paid = stepOf(0, 6, 3)
      const at = (step: FeedStep, timestamp: number, more: Partial<Transfer> = {}): FeedStep => ({
        ...step,
        transactions: step.transactions.map((one) => ({
          ...one,
          transfers: one.transfers.map((transfer) => ({ ...transfer, timestamp, ...more })),
        })),
      })
      const live = (step: FeedStep, isLive: boolean): FeedStep => ({ ...step, isLive })
      await session.write(live(at(paid, OLD), false))
      const spent = { ...stepOf(1, 0, 3), transactions: paid.transactions.slice(0, 5) }
      const debits = { direction: 'debit', acceptingBlueScore: 2n, transactionId: 'ff'.repeat(32) } as const
      await session.write(live(at(spent, OLD, debits), false))
      await sql(
        `insert into {s}.payment_request (network, id, address, amount, tolerance, confirmations, created_at,
            created_daa_score, expires_at, state, record, is_closed)
          select 'testnet-10', address, address, 1, 0, 100, now(), 0, now(), '{}', '{}', is_closed
            from (values ($1, false), ($2, true)) as r (address, is_closed)`,
        [addressOf(2), addressOf(1)],
      )
      const sums = () =>
        sql(`select address, direction, sum(amount)::text as sum from {s}.transfer group by 1, 2 order by 1, 2`)
      const keys = () =>
        sql(
          `select address, direction, is_opening, count(*)::int as n from {s}.transfer group by 1, 2, 3 order by 1, 2, 3`,
        )
      const before = await sums()
      await session.write({ ...stepOf(36_000, 0, 1) }) // the debits are 35,999 deep
      expect((await keys()).every(({ is_opening: isOpening }) => isOpening === false)).toBe(true)
      await session.close()

      const again = await open()
      await again.write({ ...stepOf(36_001, 0, 1) })
      expect(await sums()).toEqual(before)
      const row = (index: number, direction: string, isOpening: boolean, n: number) => ({
        address: addressOf(index),
        direction,
        is_opening: isOpening,
        n,
      })
      const expected = [
        row(0, 'credit', true, 1),
        row(0, 'debit', true, 1),
        row(1, 'credit', true, 1),
        row(1, 'debit', true, 1),
        row(2, 'credit', false, 2), // requested, and one of them is not spent
        row(2, 'debit', false, 1),
      ]
      const order = (rows: readonly Record<string, unknown>[]) => rows.map((one) => JSON.stringify(one)).sort()
      expect(order(await keys())).toEqual(order(expected))
      expect(await sql('select 1 from {s}.transfer_undo')).toEqual([])
      const rollback = { hash: '', blueScore: 1n, daaScore: 1n }
      await expect(again.write({ ...stepOf(36_002, 0, 1), rollback })).rejects.toMatchObject({
        argument: 'rewindTo',
        hint: 'Pass a block or a blue score from 2 on.',
      })
      await again.close()
    })

    it('stores credits whose sum is more than a bigint holds, and has the right balance when they are undone', async () => {
      const amount = 28_000_000_000n * KAS // of nodes that lie: four of them are more than 2^63
      const session = await database()
        .sink(schema)
        .open({ network: 'testnet-10', watch: 'given', signal: new AbortController().signal })
      const credited = (index: number, credits: number) => {
        const step = stepOf(index, credits, 1)
        const transactions = step.transactions.map((transaction) => ({
          ...transaction,
          transfers: transaction.transfers.map((transfer) => ({ ...transfer, amount })),
        }))
        return { ...step, transactions }
      }
      const balances = () =>
        sql(
          'select b.amount::text as shown, r.amount::text as stored from {s}.balance as b join {s}.balance_row as r using (address_id)',
        )
      await session.write(stepOf(0, 1, 1))
      await session.write(credited(1, 1))
      await session.write(credited(2, 6)) // one statement
      expect(await balances()).toEqual([{ shown: String(2n ** 63n - 1n), stored: String(7n * amount + KAS) }])
      await session.write({ ...stepOf(3, 0, 1), rollback: { hash: '00', blueScore: 1n, daaScore: 1n } })
      expect(await balances()).toEqual([{ shown: String(KAS), stored: String(KAS) }])
      await session.close()
    })

    it('prunes what an address has moved in total, also where that is more than a bigint holds', async () => {
      const amount = 28_000_000_000n * KAS // four of them are more than 2^63
      const session = await database()
        .sink(schema, 90 * 86_400_000)
        .open({ network: 'testnet-10', watch: 'given', signal: new AbortController().signal })
      for (let index = 0; index < 10; index++) {
        const step = stepOf(index, 1, 1)
        const [credited] = step.transactions
        const timestamp = Date.now() - 91 * 86_400_000
        const credits = credited!.transfers.map((transfer) => ({ ...transfer, timestamp, amount }))
        const debits = credits.map((credit) => ({
          ...credit,
          direction: 'debit' as const,
          transactionId: 'ff'.repeat(32),
        }))
        const transactions = [{ ...credited!, transfers: [...credits, ...debits] }]
        await session.write({ ...step, transactions, isLive: false })
      }
      const sums = () =>
        sql(
          'select direction, sum(amount)::text as sum, bool_and(is_opening) as c from {s}.transfer group by 1 order by 1',
        )
      const total = String(10n * amount)
      await session.write(stepOf(36_004, 0, 1)) // the first five debits are deep enough
      expect(await sums()).toEqual(['credit', 'debit'].map((direction) => ({ direction, sum: total, c: false })))
      await session.close()
      const again = await database()
        .sink(schema, 90 * 86_400_000)
        .open({ network: 'testnet-10', watch: 'given', signal: new AbortController().signal })
      await again.write(stepOf(36_020, 0, 1))
      expect(await sums()).toEqual(['credit', 'debit'].map((direction) => ({ direction, sum: total, c: true })))
      expect(await count()).toBe(2 * 6) // a row takes two of these amounts at most
      await again.close()
    })

    it('deletes no rows that a program has written, unless it may replace them', async () => {
      const first = start({ watch: 'table' })
      await untilTables()
      await sql("insert into {s}.watched_address (network, address) values ('simnet', $1)", [alice])
      await expect.poll(() => devnode.mine().then(count)).toBe(10)
      await first.stop()
      const rows = () => sql('select address from {s}.watched_address order by address')
      await expect(start({ watch: [bob] }).done).rejects.toMatchObject({
        code: 'invalid-argument',
        argument: 'watch',
        message: `"watch" lacks 1 addresses that other programs have written into the table, such as ${alice}`,
      })
      expect(await rows()).toEqual([{ address: alice }])
      const second = start({ watch: [bob], replace: true })
      await expect.poll(() => devnode.mine().then(rows)).toEqual([{ address: bob }])
      await second.stop()
      start({ watch: [] }) // the row is its own
      await expect.poll(() => devnode.mine().then(rows)).toEqual([])
    })

    it('takes up a corrected row with the next block', async () => {
      start({ watch: 'table' })
      await untilTables()
      const error = async () => (await sql('select error from {s}.watched_address'))[0]?.error
      await sql("insert into {s}.watched_address (network, address, since) values ('simnet', $1, 'no block')", [alice])
      await expect.poll(() => devnode.mine().then(error)).toEqual(expect.any(String))
      await sql("update {s}.watched_address set since = 'pruning-point', error = null where address = $1", [alice])
      await expect.poll(() => devnode.mine().then(() => faults(alice))).toEqual([])
      expect(await error()).toBeNull()
    })

    it('watches the addresses of the table, from the position where they were inserted or from a block', async () => {
      start({ watch: 'table' })
      await untilTables()
      const insert = (address: string, since: string | null = null) =>
        sql('insert into {s}.watched_address (network, address, since) values ($1, $2, $3)', ['simnet', address, since])
      await insert(alice)
      await expect.poll(count).toBe(10)
      await devnode.fund(bob, 2n * KAS)
      const [, since = ''] = await devnode.mine(3)
      await devnode.fund(bob, 4n * KAS)
      await devnode.mine(2)
      await insert(bob, since)
      await untilEqual(alice)
      await expect
        .poll(() => sql('select amount::text from {s}.transfer where address = $1 and not is_opening', [bob]))
        .toEqual([{ amount: String(4n * KAS) }])
      const opened = await sql('select amount::text from {s}.transfer where address = $1 and is_opening', [bob])
      expect(opened).toHaveLength(11)
      const [balance] = await sql('select amount::text from {s}.balance where address = $1', [bob])
      expect(balance).toEqual({ amount: String(BALANCE + 6n * KAS) })
    })

    it('keeps the rows of an address that was deleted, and begins again when it is inserted again', async () => {
      start({ watch: 'table' })
      await untilTables()
      const insert = () => sql("insert into {s}.watched_address (network, address) values ('simnet', $1)", [alice])
      await insert()
      await expect.poll(count).toBe(10)
      await sql('delete from {s}.watched_address where address = $1', [alice])
      const pending = () => devnode.mine().then(() => sql('select 1 from {s}.ended_watch'))
      await expect.poll(pending).toEqual([]) // the deletion is stored with the next step after it was read
      await devnode.fund(alice, 9n * KAS)
      await devnode.mine(2)
      expect(await count()).toBe(10)
      await insert()
      await expect.poll(count).toBe(11)
      const [balance] = await sql('select amount::text from {s}.balance where address = $1', [alice])
      expect(balance).toEqual({ amount: String(BALANCE + 9n * KAS) })
    })

    /** An engine whose passes from an older block do not begin before `open` is called. */
    function gated() {
      let open = (): void => undefined
      let reached = 0
      const opened = new Promise<void>((resolve) => (open = resolve))
      const followChain = ((options: FollowChainOptions) => {
        const batches = engine.followChain(options)
        reached += 1
        const next = () => opened.then(() => batches.next())
        return { next, return: () => batches.return!(), [Symbol.asyncIterator]: () => batches }
      }) as ChainEngine['followChain'] // one of its overloads
      return { engine: { ...engine, followChain }, open, reached: () => reached }
    }

    const insert = (address: string, since: string | null = null) =>
      sql("insert into {s}.watched_address (network, address, since) values ('simnet', $1, $2)", [address, since])
    const deleteRow = (address: string) => sql('delete from {s}.watched_address where address = $1', [address])
    const openedOf = async (address: string) => {
      const [row] = await sql('select opened_blue_score::text as score from {s}.watched_address where address = $1', [
        address,
      ])
      return row?.score ?? null
    }
    const untilOpened = (address: string) =>
      expect.poll(() => devnode.mine().then(() => openedOf(address))).not.toBeNull()
    const balanceOf = async (address: string) => {
      const [row] = await sql('select amount::text from {s}.balance where address = $1', [address])
      return row?.amount
    }

    it('watches a row that was deleted and inserted again while its pass was running, from where the new row says', async () => {
      const gate = gated()
      start({ watch: 'table', engine: gate.engine })
      await untilTables()
      const [since = ''] = await devnode.mine(3)
      await devnode.fund(alice, 2n * KAS)
      await devnode.mine()
      await insert(alice, since)
      await expect.poll(gate.reached).toBe(1)
      await deleteRow(alice)
      await insert(alice)
      gate.open()
      await untilOpened(alice)
      await devnode.fund(alice, 9n * KAS)
      await devnode.mine(2)
      await untilEqual(alice)
      expect(await sql('select amount::text from {s}.transfer where not is_opening')).toEqual([
        { amount: String(9n * KAS) }, // the other one is older than the row
      ])
    })

    it.each([
      ['truncated and inserted again', 'truncate {s}.watched_address'],
      ['reset by a program', 'update {s}.watched_address set opened_blue_score = null'],
      ['given another since', "update {s}.watched_address set since = 'pruning-point'"],
    ])('begins again once where rows are %s', async (_, change) => {
      start({ watch: 'table' })
      await untilTables()
      await insert(alice)
      await untilOpened(alice)
      await sql(change)
      if (change.startsWith('truncate')) await insert(alice)
      await untilOpened(alice)
      await devnode.fund(alice, KAS)
      await devnode.mine(2)
      await untilEqual(alice)
      expect(await sql('select 1 from {s}.ended_watch')).toEqual([])
      expect(await sql('select 1 from {s}.unwatched_address')).toEqual([])
      const before = database().transactions()
      expect(before).toBeGreaterThan(0)
      for (let round = 0; round < 100; round++) await sql('select 1') // a loop would have one for each of these
      expect(database().transactions() - before).toBeLessThan(10)
    })

    it('ends with an error in the row where the database does not store that it is watched', async () => {
      schema = newSchema()
      start({ watch: 'table' })
      await untilTables()
      await sql(`create function {s}.undo() returns trigger language plpgsql as $$
        begin if new.error is null then return null; end if; return new; end $$`)
      await sql('create trigger undo before update on {s}.watched_address for each row execute function {s}.undo()')
      await insert(alice)
      const error = () => devnode.mine().then(() => sql('select error from {s}.watched_address'))
      await expect.poll(error).toEqual([{ error: 'the database does not store that it is watched' }])
    })

    it('keeps rows and balance of an unwatched address over later reorgs, and says up to where they are right', async () => {
      start({ watch: 'table' })
      await untilTables()
      await insert(alice)
      await insert(bob)
      await untilOpened(alice)
      await untilOpened(bob)
      await devnode.fund(alice, 5n * KAS)
      await devnode.mine(3)
      await untilEqual(alice, bob)
      await deleteRow(alice)
      const validUntil = async () => {
        const [row] = await sql('select valid_until_blue_score::text as score from {s}.unwatched_address')
        return row?.score === undefined || row.score === null ? null : Number(row.score)
      }
      await expect.poll(() => devnode.mine().then(validUntil)).not.toBeNull()
      const left = (await validUntil())!
      const rows = await count()
      await devnode.reorg({ depth: 6 })
      await devnode.fund(bob, KAS)
      await devnode.mine(2)
      await expect.poll(() => balanceOf(bob)).toBe(String(BALANCE + KAS))
      expect(await validUntil()).toBeLessThan(left)
      expect(await balanceOf(alice)).toBe(String(BALANCE + 5n * KAS))
      expect(await count()).toBe(rows + 1)

      await devnode.fund(alice, KAS)
      await devnode.mine(2)
      await insert(alice)
      await untilOpened(alice)
      await untilEqual(alice, bob)
      expect(await validUntil()).toBeNull()
    })

    it('opens a new address with the next block while passes from older blocks are pending', async () => {
      const gate = gated()
      start({ watch: 'table', engine: gate.engine })
      await untilTables()
      const [since = ''] = await devnode.mine(3)
      await insert(alice, since)
      await expect.poll(gate.reached).toBe(1)
      await insert(bob)
      await untilOpened(bob)
      expect(await openedOf(alice)).toBeNull()
      gate.open()
      await untilOpened(alice)
      await untilEqual(alice, bob)
    })

    it('refuses a row whose since the node does not know, and nothing else', async () => {
      start({ watch: 'table' })
      await untilTables()
      await insert(alice, 'ff'.repeat(32))
      await insert(bob)
      await untilOpened(bob)
      const error = () => sql('select error from {s}.watched_address where error is not null')
      await expect.poll(error).toEqual([{ error: expect.stringContaining('cannot be read') }])
      await devnode.fund(bob, KAS)
      await devnode.mine(2)
      await untilEqual(bob)
    })

    it('marks rows that cannot be watched, and continues', async () => {
      start({ watch: 'table' })
      await untilTables()
      await sql("insert into {s}.watched_address (network, address) values ('simnet', 'kaspasim:nonsense')")
      await sql("insert into {s}.watched_address (network, address, since) values ('simnet', $1, 'a cursor')", [bob])
      await sql("insert into {s}.watched_address (network, address) values ('simnet', $1)", [alice])
      await expect.poll(count).toBe(10)
      const marked = () =>
        sql('select address, error from {s}.watched_address where error is not null order by address')
      await expect.poll(async () => (await marked()).length).toBe(2)
      expect(await marked()).toEqual(
        [
          { address: bob, error: '"cursor" is not the text of a cursor' },
          { address: 'kaspasim:nonsense', error: 'no address of simnet' },
        ].sort((a, b) => (a.address < b.address ? -1 : 1)),
      )
    })

    it('reports opening credits again after a restart and a reorg below the insertion', async () => {
      const watched = createWatchedAddresses([alice])
      const first = start({ watch: watched })
      await untilTables()
      await expect.poll(count).toBe(10)
      await devnode.mine(4)
      watched.add(bob)
      await untilEqual(alice, bob)
      await first.stop()
      await devnode.reorg({ depth: 3 })
      await devnode.mine(2)
      start({ watch: watched })
      await devnode.fund(bob, KAS)
      await devnode.mine(2)
      await untilEqual(alice, bob)
    })

    it('stops where another writer has replaced the cursor, and stores nothing of the step', async () => {
      const running = start()
      await untilTables()
      await expect.poll(count).toBe(10)
      await sql("update {s}.cursor set value = 'another'")
      await devnode.fund(alice, KAS)
      await devnode.mine(2)
      await expect(running.done).rejects.toMatchObject({ code: 'taken-over' })
      expect(await count()).toBe(10)
      expect(running.status()?.phase).toBe('stopped')
    })

    it('delivers to a schema of its own release only', async () => {
      schema = newSchema()
      const first = start()
      await untilTables()
      await expect.poll(count).toBe(10)
      await first.stop()
      await sql('insert into {s}.migration (version) values (99)')
      await expect(start().done).rejects.toMatchObject({
        code: 'unsupported',
        message: `The schema "${schema}" has version 99, this release knows ${MIGRATIONS.length}`,
      })
    })
  })
}
