import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { pgliteJournal, postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import { attemptOf, idOf, newAttempt, outpointOf, updateOf } from '../../src/payouts/testing/journal-fixtures.js'
import type { PostgresClient, PostgresPool } from '../../src/sql/pool-database.js'
import type { PgliteClient } from '../../src/sql/locked-pglite.js'
import { journalTests } from '../../src/payouts/testing/wallet-tests.js'
import { createPgliteX402Store, createPostgresX402Store } from '../../src/x402/stores/sql-store.js'
import { storeTests } from '../x402/store-suite.js'
import { signedAmountsTests } from './signed-amounts-suite.js'
import { createPglite } from '../feed/support/new-pglite.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'

const scope = { network: 'simnet', name: 'wallet' } as const
const request = { id: 'a', address: 'address', amount: 5n, notBefore: null }

describe('the journal in memory', () => {
  const journal = memoryJournal()
  for (const { name, run } of journalTests(() => journal)) it(name, run)
})

describe('the journal on PGlite', () => {
  let database: PGlite
  beforeAll(async () => {
    database = await createPglite()
  })
  afterAll(() => database.close())
  describe('with the store of x402', () => storeTests((schema) => createPgliteX402Store({ database, schema })))

  describe('the amounts that were signed', () => signedAmountsTests(() => pgliteJournal({ database })))

  const journal = () => pgliteJournal({ database })
  for (const { name, run } of journalTests(journal)) {
    if (name.startsWith('lets one instance'))
      it(name, () =>
        journalTests(once(journal))
          .find((test) => test.name === name)!
          .run(),
      )
    else it(name, run)
  }

  it('stores a payout with the rows of the caller, or neither', async () => {
    await database.query('create table if not exists own (id integer primary key)')
    const access = journal().access(scope)
    await access.find(['a'])
    const order = database.transaction(async (client) => {
      await client.query('insert into own values (1)')
      await access.add(request, client)
      throw new Error('the order was refused')
    })
    await expect(order).rejects.toThrow('the order was refused')
    expect(await access.find(['a'])).toEqual([])
    await database.transaction((client) => access.add(request, client))
    expect(await access.find(['a'])).toMatchObject([{ id: 'a', amount: 5n }])
  })

  describe('its folder', () => {
    let dataDir: string
    beforeEach(() => {
      dataDir = join(mkdtempSync(join(tmpdir(), 'vue-chain-')), 'data')
    })
    afterEach(() => rmSync(dirname(dataDir), { recursive: true }))

    /** An instance that says that its files are in the folder. */
    const instance = (): PgliteClient => ({
      dataDir,
      transaction: (work) => database.transaction(work),
      listen: (channel, callback) => database.listen(channel, callback),
      close: () => Promise.resolve(),
    })
    const inUse = (holder: string) => ({
      message: `The data directory is in use by ${holder}`,
      details: `${dataDir}.lock`,
    })

    it('is used by one process at a time, whether the program has opened it or the journal does', async () => {
      const stat = existsSync('/proc/1') ? readFileSync(`/proc/${process.ppid}/stat`, 'latin1') : ''
      const holder = { pid: process.ppid, started: stat.replace(/^.*\) /s, '').split(' ')[19] ?? '' }
      writeFileSync(`${dataDir}.lock`, JSON.stringify(holder))
      const journal = pgliteJournal({ database: instance() })
      for (const refused of [journal, pgliteJournal({ database: dataDir })]) {
        const found = refused.access(scope).find(['a'])
        await expect(found).rejects.toMatchObject(inUse(`process ${process.ppid}`))
        const opened = refused.open(scope, new AbortController().signal)
        await expect(opened).rejects.toMatchObject(inUse(`process ${process.ppid}`))
      }
      expect(existsSync(dataDir)).toBe(false)
      writeFileSync(`${dataDir}.lock`, '{"pid":4194999,"started":"1"}') // of a process that was killed
      expect(await journal.access(scope).add({ ...request, id: 'locked' })).toMatchObject({ id: 'locked' })
      await journal.close()
      expect(existsSync(`${dataDir}.lock`)).toBe(false)
    })

    it('is locked for the journals of an instance, until the last one is closed', async () => {
      const shared = instance()
      const [first, second] = [
        pgliteJournal({ database: shared }),
        pgliteJournal({ database: shared, schema: 'other' }),
      ]
      for (const journal of [first, second]) await journal.access(scope).find(['a'])
      await first.close()
      const other = pgliteJournal({ database: instance() })
      await expect(other.access(scope).find(['a'])).rejects.toMatchObject(inUse(`this process, ${process.pid}`))
      await second.close()
      expect(await other.access(scope).find(['nothing'])).toEqual([])
      await other.close()
    })

    it('is no URL: a password would become its name', () => {
      expect(() => pgliteJournal({ database: 'postgres://me:secret@host/wallet' })).toThrow(
        '"postgres://***@host/wallet" is no path',
      )
    })
  })
})

/** One journal for all calls. */
function once<T>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}

describe.skipIf(!hasPostgres)('the journal on PostgreSQL (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool
  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
  })
  afterAll(() => cluster.stop())
  describe('with the store of x402', () => storeTests((schema) => createPostgresX402Store({ pool, schema })))
  describe('the amounts that were signed', () => signedAmountsTests(() => postgresJournal({ pool })))

  const journal = () => postgresJournal({ pool })
  for (const { name, run } of journalTests(journal)) it(name, run)

  it('stores a payout with the rows of the caller, or neither', async () => {
    await pool.query('create table own (id integer primary key)')
    const access = journal().access(scope)
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into own values (1)')
    await access.add(request, client)
    await client.query('rollback')
    expect(await access.find(['a'])).toEqual([])
    await client.query('begin')
    await access.add(request, client)
    await client.query('commit')
    client.release()
    expect(await access.find(['a'])).toMatchObject([{ id: 'a', amount: 5n }])
  })

  it('leaves no event out whose transaction is committed after that of a later one', async () => {
    const access = journal().access({ ...scope, name: 'events' })
    await access.find(['a'])
    const client = await pool.connect()
    await client.query('begin')
    await access.add({ ...request, id: 'slow' }, client)
    await access.add({ ...request, id: 'fast' })
    expect(await access.events(0n, 10)).toEqual([])
    await client.query('commit')
    client.release()
    await expect.poll(async () => (await access.events(0n, 10)).map(({ id }) => id)).toEqual(['slow', 'fast'])
  })

  it('stores a request that a program has written by a statement of its own', async () => {
    const access = journal().access({ ...scope, name: 'by hand' })
    await access.find(['a'])
    await pool.query(
      "insert into payouts.payout (network, id, wallet, address, amount) values ('simnet', 'by hand', 'by hand', 'address', 5)",
    )
    expect(await access.due(5)).toMatchObject([{ id: 'by hand', progress: { state: 'queued' } }])
    await expect.poll(() => access.events(0n, 10)).toMatchObject([{ id: 'by hand', event: { type: 'requested' } }])
  })

  it('refuses a schema of a newer release, and writes nothing', async () => {
    await journal().access(scope).find(['a'])
    await pool.query('insert into payouts.migration (version) values (99)')
    const access = journal().access(scope)
    await expect(access.add({ ...request, id: 'newer' })).rejects.toMatchObject({
      name: 'PayoutError',
      code: 'schema-newer',
    })
    const opened = journal().open(scope, new AbortController().signal)
    await expect(opened).rejects.toMatchObject({ name: 'PayoutError', code: 'schema-newer' })
    await pool.query('delete from payouts.migration where version = 99')
    expect(await access.find(['newer'])).toEqual([])
  })

  it('writes all rows of a payment or none, whichever statement fails', async () => {
    let left = Infinity
    const failing: PostgresPool = {
      async connect() {
        const client = await pool.connect()
        const query: PostgresClient['query'] = (text, values) =>
          left-- > 0 ? client.query(text, values) : Promise.reject(new Error('the disk is full'))
        return { query, on: client.on.bind(client), release: () => client.release(true) }
      },
    }
    const own = { ...scope, name: 'statements' }
    const access = postgresJournal({ pool: failing }).access(own)
    const record = await access.add({ ...request, id: 'statement' })
    const attempt = attemptOf(900_000, [900_001, 900_002], [record.id])
    const { transactionId } = attempt
    const change = {
      newAttempt: newAttempt(attempt, transactionId, [900_001, 900_002]),
      payouts: [updateOf(record, { type: 'stored', transactionId }, transactionId)],
      replies: [{ transactionId, outcome: 'unknown' as const, lastResponse: 'orphan' }],
      attempts: [{ transactionId, acceptedBlueScore: 9n, acceptingBlock: null }],
      cursor: { from: null, to: 'one' },
      isOnHold: false,
      debits: [{ transactionId: idOf(900_003), isAcknowledged: false, ids: [] }],
    }
    const outpoints = [outpointOf(900_001), outpointOf(900_002)]
    const observer = journal().access(own)
    const before = await observer.find([record.id])
    const expectNothing = async () =>
      expect([
        (await observer.groups({ of: 'open' })).length,
        (await observer.taken(outpoints)).size,
        await observer.find([record.id]),
        await observer.wallet(),
        await observer.events(0n, 100),
      ]).toEqual([0, 0, before, { cursor: null, isOnHold: false, debits: [] }, [expect.anything()]])
    await pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`,
    )
    for (const table of ['cursor', 'group', 'claim', 'attempt', 'event', 'debit'].map((name) => `payout_${name}`)) {
      await pool.query(`create trigger refuse before insert on payouts.${table} for each row execute function refuse()`)
      await expect(access.write(change)).rejects.toThrow(/the disk is full/)
      await pool.query(`drop trigger refuse on payouts.${table}`)
      await expectNothing()
    }
    for (const stale of [
      { payouts: change.payouts.map((update) => ({ ...update, version: 7 })) },
      { groups: [{ id: transactionId, version: 0, state: 'open' as const, bumpRate: null, conflicts: [] }] },
      { replies: [{ transactionId: idOf(900_004), outcome: 'unknown' as const, lastResponse: null }] },
    ]) {
      expect(await access.write({ ...change, ...stale })).toBe(false)
      await expectNothing()
    }
    let failed = 0
    for (let isWritten = false; !isWritten; failed++) {
      left = failed
      isWritten = await access.write(change).catch(() => false)
      left = Infinity
      if (!isWritten) await expectNothing()
    }
    expect(failed).toBeGreaterThan(3) // begin, limit, change, commit
    expect(await observer.groups({ of: 'open' })).toMatchObject([
      { id: transactionId, state: 'open', attempts: [{ outcome: 'unknown', acceptedBlueScore: 9n }] },
    ])
  })

  it('reads payouts by key and in order, also where the server has no statistics', async () => {
    const explained: string[] = []
    const explaining: PostgresPool = {
      async connect() {
        const client = await pool.connect()
        const query: PostgresClient['query'] = async (text, values) => {
          if (/^\s*(select|with)/.test(text)) {
            const { rows } = await client.query<Record<string, string>>(`explain ${text}`, values)
            explained.push(rows.flatMap((row) => Object.values(row)).join('\n'))
          }
          return client.query(text, values)
        }
        return { query, on: client.on.bind(client), release: () => client.release() }
      },
    }
    const own = { ...scope, name: 'by key' }
    const access = postgresJournal({ pool: explaining, schema: 'by_key' }).access(own)
    await access.find(['none'])
    await pool.query('alter table by_key.payout set (autovacuum_enabled = false)')
    await pool.query(`insert into by_key.payout (network, id, wallet, address, amount)
      select 'simnet', 'id ' || n, 'by key', 'address', 5 from generate_series(1, 2000) as n`)
    explained.length = 0
    const records = await access.find(Array.from({ length: 40 }, (_, at) => `id ${at + 1}`))
    const waiting = { type: 'waiting' as const, reason: 'funds' as const, missing: null }
    expect(await access.write({ payouts: records.map((record) => updateOf(record, waiting)) })).toBe(true)
    await access.list({ states: ['queued'], limit: 1 })
    const inOrder = explained.pop()
    expect(inOrder).toMatch(/payout_(state|due)/)
    expect(inOrder).not.toMatch(/Sort/)
    expect(explained).toHaveLength(2)
    for (const plan of explained) {
      expect(plan).toMatch(/payout_pkey/)
      expect(plan).not.toMatch(/Seq Scan on payout|payout_(address|state|due|grp)/) // which read all of the network
    }
  })

  it('opens connections of its own for a URL, and closes them', async () => {
    const database = `postgres://postgres@127.0.0.1:${cluster.port}/postgres?application_name=own`
    const own = postgresJournal({ database })
    expect(await own.access(scope).add({ ...request, id: 'own' })).toMatchObject({ id: 'own' })
    const open = async () => (await pool.query(`select from pg_stat_activity where application_name = 'own'`)).rowCount
    expect(await open()).toBe(1)
    await own.close()
    await expect.poll(open).toBe(0)
    expect(await own.access(scope).find(['own'])).toMatchObject([{ id: 'own' }]) // it opens others
    await own.close()
    await postgresJournal({ pool }).close()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it.each(['wallet', 'https://host/wallet', 'postgres://user:se^cret@[host/wallet'])(
    'refuses %s as a URL',
    (database) =>
      expect(() => postgresJournal({ database })).toThrow(
        expect.objectContaining({ argument: 'database', message: '"database" is no URL of PostgreSQL' }),
      ),
  )

  it('refuses an id of another wallet', async () => {
    await journal()
      .access(scope)
      .add({ ...request, id: 'taken' })
    const other = journal().access({ ...scope, name: 'other' })
    await expect(other.add({ ...request, id: 'taken' })).rejects.toMatchObject({ code: 'id-conflict', ids: ['taken'] })
  })

  it('says that the journal cannot be reached while the server restarts', async () => {
    const access = journal().access(scope)
    await access.find(['a'])
    const statements = Array.from({ length: 50 }, () => access.find(['a']).catch((error: unknown) => error))
    await cluster.restart()
    for (const result of await Promise.all(statements))
      if (result instanceof Error) expect(result).toMatchObject({ name: 'PayoutError', code: 'journal-unavailable' })
    expect(await access.add({ ...request, id: 'again' })).toMatchObject({ id: 'again' })
  })
})
