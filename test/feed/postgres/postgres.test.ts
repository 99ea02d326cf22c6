import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createPostgresSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import type { FeedOptions } from '../../../src/feed/options.js'
import { migrate } from '../../../src/sql/migrate.js'
import { createPoolDatabase, type PostgresPool } from '../../../src/sql/pool-database.js'
import { MARK, MIGRATIONS } from '../../../src/feed/postgres/schema.js'
import type { SqlSession } from '../../../src/sql/session.js'
import type { FeedStatus } from '../../../src/feed/status.js'
import { runs } from '../../full.js'
import { createProxy, type Proxy } from '../support/proxy.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../support/postgres-cluster.js'
import { addressOf, AMOUNT, stepOf } from '../support/steps.js'
import { emptyTables, faultsOf, type Sql } from '../support/tables.js'
import { countPool } from '../support/transactions.js'
import { describeContractFeed } from './contract-feed-suite.js'
import { describeNarrowRows, writeWideRows } from './narrow-rows-suite.js'
import { describeSink } from './sink-suite.js'
import { describeTokenFeed } from './token-feed-suite.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS
/** Rows of `watched_address`. A full run has more than are read at a time. */
const MANY = runs(1_000, 1_000_000)

describe.skipIf(!hasPostgres)('PostgreSQL (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool
  let counted: ReturnType<typeof countPool>

  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
    counted = countPool(pool)
  })

  afterAll(() => cluster.stop())

  const sql: Sql = async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows

  describeContractFeed('contracts on PostgreSQL', () => ({ database: pool, sql }))

  describeTokenFeed('tokens on PostgreSQL', () => ({
    sql,
    sink: (schema) => createPostgresSink({ pool, schema }),
    killedSink: (schema, at) =>
      createPostgresSink({
        schema,
        pool: killing((text) => {
          const found = [...at].find((one) => text.startsWith(one))
          return found !== undefined && at.delete(found)
        }),
      }),
  }))

  describeSink('the sink on PostgreSQL', () => ({
    sql,
    sink: (schema, retain) => createPostgresSink({ pool: counted.pool, schema, retain }),
    transactions: () => counted.transactions(),
  }))

  /** Connections whose server process is killed at some statements. */
  const killing = (isKilledAt: (text: string) => boolean): PostgresPool => ({
    async connect() {
      const client = await pool.connect()
      const query = client.query.bind(client)
      const [own] = (await query<{ pid: number }>('select pg_backend_pid() as pid')).rows
      const killed = async (text: string, values?: unknown[]) => {
        if (isKilledAt(text)) await sql('select pg_terminate_backend($1)', [own?.pid])
        return query<Record<string, unknown>>(text, values)
      }
      return Object.assign(Object.create(client) as pg.PoolClient, { query: killed })
    },
  })

  /** A connection of the feed; its server process is killed at a statement that begins like this. */
  async function openSession(killedAt?: string): Promise<SqlSession> {
    const database = createPoolDatabase(
      killing((text) => killedAt !== undefined && text.startsWith(killedAt)),
      { leaseTimeout: 10_000, statementTimeout: 10_000 },
    )
    return database.open({ lease: `narrow ${killedAt}`, signal: new AbortController().signal })
  }

  describeNarrowRows('tables of version 5 on PostgreSQL', () => ({ sql, open: () => openSession() }))

  describe('tables of version 5', () => {
    const schema = 'wide'
    const narrow = async (killedAt?: string): Promise<void> => {
      const session = await openSession(killedAt)
      try {
        await migrate(session, schema, MIGRATIONS)
      } finally {
        await session.close()
      }
    }

    it('are unchanged where the migration is killed, which the next start makes again', async () => {
      const session = await openSession()
      const read = await writeWideRows(sql, session, schema)
      await session.close()
      const before = await read()
      await sql(`create role accountant`)
      await sql(`grant select on ${schema}.transfer to accountant`)
      await sql(`create index transfer_sequence on ${schema}.transfer (network, sequence)`)
      for (const killedAt of [
        `insert into "${schema}".transfer_row`,
        `alter table "${schema}".balance`,
        'drop table',
        'commit',
      ]) {
        await expect(narrow(killedAt)).rejects.toThrow('The connection to the sink was lost')
        expect(await read()).toEqual(before)
        expect(await sql(`select max(version) as version from ${schema}.migration`)).toEqual([{ version: 5 }])
      }
      await narrow()
      expect(await read()).toEqual(before)
      expect(
        await sql(`select indexdef from pg_indexes where schemaname = '${schema}' and indexname = 'transfer_sequence'`),
      ).toEqual([{ indexdef: `CREATE INDEX transfer_sequence ON ${schema}.transfer_row USING btree (sequence)` }])
      const readable = (table: string) =>
        `has_table_privilege('accountant', '${schema}.${table}', 'select') as ${table}`
      expect(await sql(`select ${readable('transfer')}, ${readable('balance')}`)).toEqual([
        { transfer: true, balance: false },
      ])
    })

    it.each([
      [
        'a trigger',
        'trigger own',
        'create trigger own after insert on {s}.transfer execute function {s}.on_transfer()',
      ],
      ['a view', 'view with_trigger_2.own', 'create view {s}.own as select * from {s}.balance'],
    ])('are refused, and unchanged, where programs have attached %s', async (_, found, attach) => {
      const schema = found.startsWith('view') ? 'with_trigger_2' : 'with_trigger_1'
      const session = await openSession()
      const read = await writeWideRows(sql, session, schema)
      const before = await read()
      await sql(attach.replaceAll('{s}', schema))
      await expect(migrate(session, schema, MIGRATIONS)).rejects.toMatchObject({
        details: `The tables transfer and balance become views: drop ${found} first, and create it again afterwards (SQLSTATE P0001)`,
      })
      expect(await read()).toEqual(before)
      await session.close()
    })
  })

  it('stores a step of more rows than a statement takes in their order, and its balances', async () => {
    const sink = createPostgresSink({ pool, schema: 'large' })
    const session = await sink.open({ network: 'testnet-10', watch: 'given', signal: new AbortController().signal })
    const step = stepOf(0, 10_001, 3)
    await session.write(step)
    expect(await session.write(stepOf(0, 1, 1))).toEqual([]) // F1 a row that exists counts once
    await session.close()
    const stored = await sql('select * from large.transfer order by sequence')
    expect(stored.map((row) => row.transaction_id)).toEqual(step.transactions.map(({ transactionId }) => transactionId))
    expect(stored.at(-1)).toMatchObject({
      amount: String(AMOUNT),
      fee: null,
      accepted_at: new Date(1_790_000_000_000),
      is_change: false,
      counterparties: [addressOf(10_001), addressOf(10_002)],
    })
    const balances = await sql('select amount::text from large.balance order by amount')
    expect(balances).toEqual([3_333n, 3_334n, 3_334n].map((credits) => ({ amount: String(credits * AMOUNT) })))
    expect(await sql('select value from large.cursor')).toEqual([{ value: step.cursor }])
  })

  it('says up to where the rows of an address are right that was deleted while no feed ran, before the first step', async () => {
    const schema = 'deleted'
    const address = addressOf(0)
    const sink = createPostgresSink({ pool, schema })
    const open = () => sink.open({ network: 'testnet-10', watch: 'table', signal: new AbortController().signal })
    const first = await open()
    await sql(`insert into ${schema}.watched_address (network, address) values ('testnet-10', $1)`, [address])
    const [row] = await sql(`select generation::text from ${schema}.watched_address`)
    await first.write({
      ...stepOf(4, 1, 1),
      added: [address],
      addedAfter: 4n,
      ids: new Map([[address, String(row?.generation)]]),
    })
    await first.close()
    await sql(`delete from ${schema}.watched_address`)
    const second = await open()
    await second.write(stepOf(5, 0, 1)) // has no transfers of the address, whose removal is not read yet
    const kept = await sql(`select address, valid_until_blue_score::text as score from ${schema}.unwatched_address`)
    expect(kept).toEqual([{ address, score: '5' }])
    await second.close()
  })

  it('stores a step of a reorg and a deletion while a program truncates the rows: neither waits for the other for ever', async () => {
    const schema = 'truncated'
    const [kept, deleted] = [addressOf(0), addressOf(1)]
    let truncated: Promise<unknown> | undefined
    const isWaiting = async () =>
      (await sql("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'truncate%'")).length > 0
    const through: PostgresPool = {
      async connect() {
        const client = await pool.connect()
        const query = client.query.bind(client)
        const between = async (text: string, values?: unknown[]) => {
          const result = await query<Record<string, unknown>>(text, values)
          if (/^\s*delete from .*ended_watch/.test(text) && truncated === undefined) {
            truncated = sql(`truncate ${schema}.watched_address`)
            truncated.catch(() => undefined) // awaited below
            await expect.poll(isWaiting).toBe(true)
          }
          return result
        }
        return Object.assign(Object.create(client) as pg.PoolClient, { query: between })
      },
    }
    const sink = createPostgresSink({ pool: through, schema })
    const session = await sink.open({ network: 'testnet-10', watch: 'table', signal: new AbortController().signal })
    await sql(`insert into ${schema}.watched_address (network, address) select 'testnet-10', unnest($1::text[])`, [
      [kept, deleted],
    ])
    const generations = await sql(`select address, generation::text from ${schema}.watched_address`)
    const ids = new Map(generations.map(({ address, generation }) => [String(address), String(generation)]))
    await session.write({ ...stepOf(0, 2, 2), added: [kept, deleted], addedAfter: 1n, ids })
    await sql(`delete from ${schema}.watched_address where address = $1`, [deleted])
    const rollback = { hash: '', blueScore: 0n, daaScore: 0n }
    await session.write({ ...stepOf(1, 0, 1), rollback, removed: [deleted], ids })
    await truncated
    expect(await sql(`select address from ${schema}.ended_watch`)).toEqual([{ address: kept }])
    expect(await sql(`select value from ${schema}.cursor`)).toEqual([{ value: stepOf(1, 0, 1).cursor }])
    await session.close()
  })

  describe('several instances and failures', () => {
    let devnode: Devnode
    let engine: ChainEngine
    let alice: string
    let schema: string
    let ends: (() => Promise<unknown>)[]
    let schemas = 0
    /** For a test that changes more than rows. */
    const newSchema = (): string => `instances_${++schemas}`

    beforeEach(async () => {
      devnode = await createDevnode({ blockInterval: 0, accounts: 2, balance: BALANCE })
      alice = devnode.accounts[0]!.address
      engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
      await engine.connection.connect()
      schema = 'instances'
      await emptyTables(sql, schema)
      ends = []
    })

    afterEach(async () => {
      await Promise.allSettled(ends.map((end) => end()))
      await engine.dispose()
      await devnode.close()
    })

    function start(
      through: PostgresPool = pool,
      timing: { leaseTimeout?: number; statementTimeout?: number } = {},
      watch: FeedOptions['watch'] = [alice],
      from: FeedOptions['from'] = 'sink',
    ) {
      const sink = createPostgresSink({ pool: through, schema, ...timing })
      const feed = createFeed({ engine, watch, from, minConfirmations: 0, sink })
      let status: FeedStatus | undefined
      feed.status$.subscribe((next) => (status = next))
      const controller = new AbortController()
      const done = feed.run({ signal: controller.signal })
      done.catch(() => undefined) // read by the tests that expect it
      const stop = (): Promise<void> => {
        controller.abort()
        return done
      }
      ends.push(stop)
      return {
        done,
        stop,
        phase: () => status?.phase,
        reconnects: () => status?.reconnects ?? 0,
        failure: () => status?.failure,
      }
    }

    async function openProxy(): Promise<Proxy> {
      const proxy = await createProxy(cluster.port)
      ends.push(() => proxy.close())
      return proxy
    }

    const untilEqual = (...others: readonly string[]) =>
      expect
        .poll(async () => {
          const [table] = await sql('select to_regclass($1)::text as name', [`${schema}.transfer`])
          return typeof table?.name !== 'string'
            ? ['no table yet']
            : faultsOf(
                sql,
                devnode,
                [alice, ...others].map((address) => ({ address, genesis: BALANCE })),
                schema,
              )
        })
        .toEqual([])

    async function pay(amount = KAS): Promise<void> {
      await devnode.fund(alice, amount)
      await devnode.mine(2)
    }

    /** How many sessions look at the lease. */
    const polls = async () =>
      (
        await sql(
          "select 1 from pg_stat_activity where query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()",
        )
      ).length

    it('lets one instance deliver, and another one take over when it ends', async () => {
      const first = start()
      await expect.poll(first.phase).toBe('running')
      const second = start()
      await expect.poll(second.phase).toBe('stand-by')
      await pay()
      await untilEqual()
      expect(second.phase()).toBe('stand-by')
      await first.stop()
      await expect.poll(second.phase).toBe('running')
      await pay()
      await untilEqual()
    })

    it('lets another instance take over from one that is cut off, which then stands by', async () => {
      const proxy = await openProxy()
      const first = start(cluster.pool(proxy.port), { leaseTimeout: 1_000, statementTimeout: 5_000 })
      await expect.poll(first.phase).toBe('running')
      const second = start(pool, { leaseTimeout: 1_000 }) // sees the end of the session before the first one does
      await pay()
      await untilEqual()
      proxy.freeze()
      await expect.poll(second.phase).toBe('running')
      await pay()
      await untilEqual()
      await expect.poll(first.phase).toBe('stand-by')
      expect(first.reconnects()).toBeGreaterThan(0)
    })

    it('takes over with another connection where a router has forgotten the one on which it waits', async () => {
      const proxy = await openProxy()
      const first = start()
      await expect.poll(first.phase).toBe('running')
      const through = cluster.pool(proxy.port)
      let connections = 0
      const counted: PostgresPool = {
        connect() {
          connections += 1
          return through.connect()
        },
      }
      const second = start(counted, { leaseTimeout: 2_000 })
      await expect.poll(polls).toBe(1)
      proxy.freeze() // existing connections only, and without a word to either side
      await first.stop()
      await expect.poll(second.phase).toBe('running')
      expect([connections, second.reconnects()]).toEqual([2, 0])
      await pay()
      await untilEqual()
    })

    it('ends a wait for the lease with the signal, and leaves no session behind', async () => {
      const first = start()
      await expect.poll(first.phase).toBe('running')
      const waiting = cluster.pool()
      const second = start(waiting)
      await expect.poll(polls).toBe(1)
      await second.stop()
      expect(waiting.totalCount).toBe(0)
    })

    it('continues after the server was killed', async () => {
      const running = start()
      await pay()
      await untilEqual()
      await cluster.restart()
      await pay()
      await untilEqual()
      expect(running.reconnects()).toBeGreaterThan(0)
    })

    it('keeps its position while the disk is full, says why, and continues', async () => {
      schema = newSchema()
      const running = start()
      await pay()
      await untilEqual()
      await sql(`create function ${schema}.fill() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
      await sql(`create trigger disk_full before update on ${schema}.cursor execute function ${schema}.fill()`)
      await pay()
      await expect.poll(running.reconnects).toBeGreaterThan(2)
      expect(running.failure()).toBe('could not extend file: No space left on device')
      await sql(`drop trigger disk_full on ${schema}.cursor`)
      await untilEqual()
      await expect.poll(running.failure).toBeNull()
    })

    it.each([
      ['one statement', 'before'],
      ['one statement', 'after'],
      ['several statements', 'before'],
      ['several statements', 'after'],
    ] as const)('stores a step of %s once where the connection is lost %s its commit', async (size, when) => {
      let isArmed = false
      const running = start(losing(() => isArmed && ((isArmed = false), true), when))
      await pay()
      await untilEqual()
      isArmed = true
      if (size === 'several statements') await devnode.reorg({ depth: 2 })
      await pay(3n * KAS)
      await untilEqual()
      expect(running.reconnects()).toBeGreaterThan(0)
    })

    /** The pool, whose connection fails at a commit: the server has committed then, or not. */
    function losing(isDue: () => boolean, when: 'before' | 'after'): PostgresPool {
      return {
        async connect() {
          const client = await pool.connect()
          const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
          let isOpen = false // whether statements are parts of a transaction
          const failing = async (text: string, values?: unknown[]) => {
            if (text.startsWith('begin')) isOpen = true
            const commits = text === 'commit' || (!isOpen && text.startsWith('with moved'))
            if (/^(commit|rollback)$/.test(text)) isOpen = false
            const isCut = commits && isDue()
            if (isCut && when === 'before') await query('rollback')
            const result = isCut && when === 'before' ? undefined : await query(text, values)
            if (isCut || result === undefined) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
            return result
          }
          return Object.assign(client, { query: failing })
        },
      }
    }

    it(`fills in a back-dated address beside ${MANY} others while live batches go on`, async () => {
      const bob = devnode.accounts[1]!.address
      const [since = ''] = await devnode.mine()
      for (let block = 0; block < 5; block++) await devnode.fund(bob, KAS)
      const first = start(pool, {}, 'table')
      await expect.poll(first.phase).toBe('running')
      await first.stop()
      const others = Array.from({ length: MANY }, (_, index) => addressOf(index, 'kaspasim')).join(',')
      const client = await pool.connect()
      await client.query("select set_config($1, 'on', false)", [MARK]) // as the feed writes: they count already
      await client.query(
        `insert into ${schema}.watched_address (network, address, opened_blue_score)
          select 'simnet', address, 0 from unnest($1::text[]) as r (address)`,
        [`{${others}}`],
      )
      client.release(true)
      start(pool, {}, 'table')
      const insert = (address: string, from: string | null) =>
        sql(`insert into ${schema}.watched_address (network, address, since) values ('simnet', $1, $2)`, [
          address,
          from,
        ])
      const rowsOf = async (address: string) =>
        (await sql(`select is_opening from ${schema}.transfer where address = $1`, [address])).filter(
          (row) => row.is_opening === false,
        ).length
      await insert(alice, null)
      const stored = () => devnode.mine().then(() => sql(`select 1 from ${schema}.transfer`))
      await expect.poll(stored).not.toEqual([]) // it reads the table first
      await insert(bob, since)
      for (let live = 1; live <= 5; live++) {
        await pay()
        await expect.poll(() => rowsOf(alice)).toBe(live) // before the next block
      }
      await untilEqual(bob)
      expect(await rowsOf(bob)).toBe(5)
      const [opened] = await sql(
        `select count(*)::int as n from ${schema}.watched_address where opened_blue_score >= 0`,
      )
      expect(opened).toEqual({ n: MANY + 2 })
    })

    it('brings the tables of the version before to a newer one, with their rows', async () => {
      schema = newSchema()
      const next = MIGRATIONS.length + 1
      await withSession(async (session) => {
        await migrate(session, schema, MIGRATIONS)
        await sql(`insert into ${schema}.balance_row values (1, 5)`)
        const statements = (s: string) => [`alter table ${s}.balance_row add note text default 'new'`]
        await migrate(session, schema, [...MIGRATIONS, { version: next, statements }])
        await migrate(session, schema, [...MIGRATIONS, { version: next, statements }]) // does nothing
      })
      expect(await sql(`select amount::text, note from ${schema}.balance_row`)).toEqual([{ amount: '5', note: 'new' }])
      expect(await sql(`select max(version) as version from ${schema}.migration`)).toEqual([{ version: next }])
    })

    // rows can be copied to tables: `transfer` is a view since version 6, whose rows the suite of tokens keeps
    it.each(MIGRATIONS.map(({ version }) => version).filter((version) => version < 6))(
      'continues on the tables of version %i with their rows, which that version refuses then',
      async (version) => {
        const newest = start(pool, {}, 'table')
        await expect.poll(newest.phase).toBe('running')
        await sql(`insert into ${schema}.watched_address (network, address) values ('simnet', $1)`, [alice])
        await expect.poll(() => devnode.mine().then(() => sql(`select 1 from ${schema}.balance`))).not.toEqual([])
        await pay()
        await untilEqual()
        await newest.stop()
        const older = newSchema()
        await withSession((session) => migrate(session, older, MIGRATIONS.slice(0, version)))
        for (const table of ['cursor', 'watched_address', 'transfer', 'balance']) await copyRows(table, schema, older)
        schema = older
        const sequences = async () =>
          (await sql(`select sequence::text from ${schema}.transfer order by sequence`)).map((row) =>
            Number(row.sequence),
          )
        const before = await sequences()
        await pay()
        start(pool, {}, 'table')
        await untilEqual()
        const after = await sequences()
        expect(after.length).toBeGreaterThan(before.length)
        const clock = (Date.now() - 3_600_000) * 1_000
        const added = after.filter((sequence) => sequence > clock && !before.includes(sequence))
        expect(added).toHaveLength(after.length - before.length)
        await withSession((session) =>
          expect(migrate(session, schema, MIGRATIONS.slice(0, version))).rejects.toMatchObject({ code: 'unsupported' }),
        )
      },
    )

    /** Copies what the older table has columns for; it numbers the rows itself. */
    async function copyRows(table: string, from: string, to: string): Promise<void> {
      const columns = await sql(
        `select o.column_name as name from information_schema.columns as o
          join information_schema.columns as n using (table_name, column_name)
          where o.table_schema = $1 and n.table_schema = $2 and table_name = $3 and o.is_identity = 'NO'`,
        [to, from, table],
      )
      const names = columns.map(({ name }) => String(name)).join(', ')
      const client = await pool.connect()
      try {
        await client.query("select set_config($1, 'on', false)", [MARK]) // as the feed writes
        await client.query(`insert into ${to}.${table} (${names}) select ${names} from ${from}.${table}`)
      } finally {
        client.release(true)
      }
    }

    it('begins at a block of an archival node, and rejects where the node has pruned it', async () => {
      const [first = ''] = await devnode.mine()
      await pay()
      const archival = start(pool, {}, [alice], first)
      await untilEqual()
      const rows = await sql(`select accepted_at from ${schema}.transfer where not is_opening`)
      expect(rows).toHaveLength(1) // not as an opening credit: the payment is older than the feed
      await archival.stop()
      schema = newSchema()
      devnode.prune({ depth: 1 })
      await expect(start(pool, {}, [alice], first).done).rejects.toMatchObject({ code: 'history-gap' })
    })

    it('brings deletions that version 1 has not processed to the tables of version 2', async () => {
      schema = newSchema()
      await withSession(async (session) => {
        await migrate(session, schema, MIGRATIONS.slice(0, 1))
        await sql(`insert into ${schema}.watched_address (network, address, opened_blue_score) values
          ('simnet', 'deleted', 5), ('simnet', 'never opened', null), ('simnet', 'kept', 7)`)
        await sql(`insert into ${schema}.transfer select 'simnet', 'credit', 'id', 0, 'deleted', 5, 'id', null, null, 5, 5, null,
          false, true, false, false, '{}'`)
        await sql(`delete from ${schema}.watched_address where address <> 'kept'`)
        await migrate(session, schema, MIGRATIONS)
      })
      expect(await sql(`select address, generation::text from ${schema}.ended_watch order by address`)).toEqual([
        { address: 'deleted', generation: '0' },
        { address: 'never opened', generation: '0' },
      ])
      expect(await sql(`select address, valid_until_blue_score from ${schema}.unwatched_address`)).toEqual([
        { address: 'deleted', valid_until_blue_score: null },
      ])
      expect(await sql(`select opened_blue_score::text as score from ${schema}.watched_address`)).toEqual([
        { score: '7' },
      ])
    })

    it('F4 keeps the rows of version 2, whose covenant is not known', async () => {
      schema = newSchema()
      await withSession(async (session) => {
        await migrate(session, schema, MIGRATIONS.slice(0, 2))
        await sql(`insert into ${schema}.transfer select 'simnet', 'credit', 'id', 0, 'an address', 5, 'id', null, null, 5, 5, null,
          false, true, false, false, '{}'`)
        await migrate(session, schema, MIGRATIONS)
      })
      expect(await sql(`select address, covenant_id from ${schema}.transfer`)).toEqual([
        { address: 'an address', covenant_id: null },
      ])
    })

    it('leaves nothing of a version whose migration fails', async () => {
      schema = newSchema()
      const statements = () => ['create table broken_one ()', 'select no_such_column']
      const broken = { version: MIGRATIONS.length + 1, statements }
      await withSession((session) =>
        expect(migrate(session, schema, [...MIGRATIONS, broken])).rejects.toMatchObject({
          details: expect.stringContaining('no_such_column'),
        }),
      )
      expect(
        await sql("select to_regclass('broken_one')::text as name, to_regnamespace($1)::text as schema", [schema]),
      ).toEqual([{ name: null, schema: null }])
    })

    async function withSession(work: (session: SqlSession) => Promise<void>): Promise<void> {
      const database = createPoolDatabase(pool, { leaseTimeout: 10_000, statementTimeout: 10_000 })
      const session = await database.open({ lease: schema, signal: new AbortController().signal })
      try {
        await work(session)
      } finally {
        await session.close()
      }
    }
  })
})
