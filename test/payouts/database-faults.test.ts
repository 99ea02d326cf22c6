import type pg from 'pg'
import { Subject, lastValueFrom, type Observable } from 'rxjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import type { PayoutError } from '../../src/errors/payout-error.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { PostgresPool } from '../../src/sql/pool-database.js'
import type { SqlRow } from '../../src/sql/session.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { createProxy } from '../feed/support/proxy.js'
import { createQueue, KAS, openRecipients, startNode, type TestQueue } from './support/queue.js'

describe.skipIf(!hasPostgres)('a database of a queue (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let devnode: Devnode
  let recipients: Account
  let queue: TestQueue
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster.stop())
  beforeEach(async () => {
    devnode = await startNode()
    recipients = await openRecipients()
    await devnode.mine(3)
  })
  afterEach(async () => {
    await queue.end()
    await devnode.close()
  })

  const run = (pool: pg.Pool, schema: string): void => {
    queue = createQueue([devnode], postgresJournal({ pool, schema, leaseTimeout: 1_000 }))
    queue.run()
  }
  const pay = (id: number) => queue.payouts.pay(String(id), { address: recipients.address(id), amount: KAS })
  const stateOf = async (id: number) => (await queue.payouts.get(String(id)))?.state
  const timesPaid = (ids: readonly number[]) =>
    ids.map((id) => devnode.expected.transfers([recipients.address(id)]).length)
  const settled = (ids: readonly number[]) =>
    pollMined(devnode, () => Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'settled'))

  it('whose disk is full loses nothing: the journal is unavailable until there is space', async () => {
    const pool = cluster.pool()
    run(pool, 'full_disk')
    await pay(1)
    await settled([1])
    await pay(2)
    await expect.poll(() => stateOf(2)).toBe('relayed')
    await pool.query('alter table full_disk.payout_event alter event set storage plain') // a page for each row
    await pool.query(
      `insert into full_disk.payout_event (network, wallet, id, event)
        select 'mainnet', 'filler', 'filler', to_jsonb(repeat('x', 8000)) from generate_series(1, 2048)`,
    )
    const { rows } = await pool.query<{ size: number }>(
      "select pg_relation_size('full_disk.payout_event')::integer as size",
    )
    cluster.limitFiles(rows[0]!.size + 4_096)
    const ids = [1, 2]
    let failure: unknown
    while (failure === undefined) {
      const id = ids.length + 1
      await pay(id).then(
        () => ids.push(id), // in a page that is not full
        (error: unknown) => (failure = error),
      )
    }
    expect(failure).toMatchObject({ name: 'PayoutError', code: 'journal-unavailable' })
    let losses = 0
    queue.payouts.status$.subscribe(({ reconnects }) => (losses = reconnects))
    await pollMined(devnode, () => losses).toBeGreaterThan(1) // what the chain shows cannot be stored
    cluster.limitFiles(undefined)
    ids.push(ids.length + 1)
    await pay(ids.length)
    await settled(ids)
    expect(timesPaid(ids)).toEqual(ids.map(() => 1))
  })

  it('takes its rows from a caller that was stopped within a transaction', async () => {
    const pool = cluster.pool()
    queue = createQueue([devnode], postgresJournal({ pool, schema: 'stopped', leaseTimeout: 1_000 }))
    await pay(1)
    await pay(2)
    let isStopped = false
    const resumed = new Subject<never>()
    const stopping = stoppedBeforeCommit(pool, { onStop: () => (isStopped = true), resumed })
    const stopped = createQueue([devnode], postgresJournal({ pool: stopping, schema: 'stopped', leaseTimeout: 1_000 }))
    const cancelling = stopped.payouts.cancel('1')
    await expect.poll(() => isStopped).toBe(true)
    queue.run()
    await settled([1, 2])
    expect(timesPaid([1, 2])).toEqual([1, 1])
    resumed.complete()
    await expect(cancelling).rejects.toMatchObject({ code: 'journal-unavailable' })
    await stopped.end()
  })

  it('that fails over to a copy without the last payments signs nothing until these are acknowledged', async () => {
    const proxy = await createProxy(cluster.port)
    run(cluster.pool(proxy.port), 'failover')
    await pay(1)
    await settled([1])
    const copy = await cluster.copy()
    await pay(2)
    await settled([2])
    await pay(3)
    await expect.poll(() => stateOf(3)).toBe('relayed')
    proxy.redirect(copy.port)
    proxy.cut()
    await expect.poll(() => pay(2).then(({ id }) => id, String)).toBe('2') // by the shop, whose own rows have them
    await Promise.all([3, 4].map(pay))
    let problem: PayoutError | null = null
    queue.payouts.status$.subscribe((status) => (problem = status.problem))
    const lacking: string[] = []
    while (lacking.length < 2) {
      await expect.poll(() => problem !== null && !lacking.includes(problem.ids[0] ?? '')).toBe(true)
      const { transactionId = '', ids, code } = problem as unknown as PayoutError
      expect([code, ids.length, await stateOf(4)]).toEqual(['foreign-debit', 1, 'queued'])
      for (const id of ids) await queue.payouts.cancel(id)
      lacking.push(...ids)
      await queue.payouts.acknowledge(transactionId)
    }
    await settled([1, 4])
    expect([lacking.sort(), timesPaid([1, 2, 3, 4])]).toEqual([
      ['2', '3'],
      [1, 1, 1, 1],
    ])
    await queue.stop()
    await Promise.all([proxy.close(), copy.stop()])
  })
})

/** Connections of a process that is stopped before it commits a change of payouts, until `resumed` completes. */
const stoppedBeforeCommit = (
  pool: pg.Pool,
  { onStop, resumed }: { readonly onStop: () => void; readonly resumed: Observable<never> },
): PostgresPool => ({
  async connect() {
    const client = await pool.connect()
    let hasChanged = false
    return {
      async query(text, values) {
        hasChanged ||= text.includes('.payout_event ')
        if (hasChanged && text === 'commit') {
          onStop()
          await lastValueFrom(resumed, { defaultValue: undefined })
        }
        return client.query<SqlRow>(text, values)
      },
      on: client.on.bind(client),
      release: (destroy) => client.release(destroy),
    }
  },
})
