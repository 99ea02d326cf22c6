import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createPostgresSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import { postgresJournal } from '../../../src/payouts/stores/postgres-journal.js'
import { createQueue } from '../../payouts/support/queue.js'
import { hasPostgres, startPostgres, succeeds, type PostgresCluster } from '../support/postgres-cluster.js'
import { addressOf } from '../support/steps.js'
import { faultsOf, type Sql } from '../support/tables.js'

type Rows = readonly Record<string, unknown>[]

const KAS = 100_000_000n
const page = readFileSync(resolve(import.meta.dirname, '../../../docs/feed.md'), 'utf8')

/** The statements of docs/feed.md by the comment above each. */
const documented = new Map(
  [...page.matchAll(/^```sql\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.trim().split(/\n\n/))
    .map((statement) => [/^-- (.*)/.exec(statement)?.[1] ?? statement, statement] as const),
)

describe.skipIf(!hasPostgres)('the SQL and the backup of docs/feed.md (apt-get install postgresql)', () => {
  /** Of orders: no account of the devnode, so without a balance. */
  const order = addressOf(7, 'kaspasim')
  const used = new Set<string>()
  let cluster: PostgresCluster
  let pool: pg.Pool
  let devnode: Devnode
  let engine: ChainEngine
  let alice: string
  const stopped = new AbortController()
  let done: Promise<void>

  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
    devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: 1_000n * KAS })
    alice = devnode.accounts[0]!.address
    engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, reconnect: { maxRetries: Infinity } })
    done = createFeed({ engine, watch: 'table', minConfirmations: 0, sink: createPostgresSink({ pool }) }).run(stopped)
  })

  afterAll(async () => {
    stopped.abort()
    await done
    await engine.dispose()
    await devnode.close()
    await cluster.stop()
  })

  /** Runs the documented statement of that name, for this network and these addresses. */
  async function run(name: string): Promise<Rows> {
    const statement = documented.get(name)
    if (statement === undefined) throw new Error(`docs/feed.md has no statement "${name}"`)
    used.add(name)
    const text = statement
      .replaceAll("'mainnet'", "'simnet'")
      .replaceAll('kaspa:qq…', alice)
      .replaceAll('kaspa:qp…', order)
    return (await pool.query<Record<string, unknown>>(text)).rows
  }

  /** Runs statements as a role, in a transaction that is rolled back. */
  async function as(role: string, ...statements: readonly string[]): Promise<unknown> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(`set local role ${role}`)
      let rows: unknown
      for (const statement of statements) rows = (await client.query(statement)).rows
      return rows
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  it('returns what it says', async () => {
    const table = async () => (await pool.query("select to_regclass('vue_chain.cursor')::text as name")).rows
    await expect.poll(table).toEqual([{ name: 'vue_chain.cursor' }])
    await run('watch an address from now on')
    await run('the table of orders')
    await run('a new order: its address is watched in the same transaction')
    const unpaid = { id: '7', due: '250000000', paid: '0', is_paid: false, paid_at: null }
    expect(await run('what was paid for each order')).toEqual([unpaid])
    await pool.query("insert into vue_chain.watched_address (network, address) values ('simnet', 'kaspasim:other')")
    const pending = () => devnode.mine().then(() => run('addresses that do not count yet, and why'))
    await expect.poll(pending).toEqual([{ address: 'kaspasim:other', error: 'no address of simnet' }])
    const balance = () => run('the balance in KAS')
    await expect.poll(balance).toEqual([{ address: alice, kas: '1000.00000000' }])

    await devnode.fund(alice, 150_000_001n)
    const ids = [await devnode.fund(order, 200_000_000n), await devnode.fund(order, 60_000_000n)]
    await devnode.mine(2)
    await expect.poll(balance).toContainEqual({ address: order, kas: '2.60000000' })
    expect(await balance()).toContainEqual({ address: alice, kas: '1001.50000001' })
    expect(await run('what was paid for each order')).toEqual([
      { id: '7', due: '250000000', paid: '260000000', is_paid: true, paid_at: expect.any(Date) },
    ])
    const [newest] = await run('what an address received and spent, newest first')
    expect(newest).toEqual({
      accepted_at: expect.any(Date),
      direction: 'credit',
      kas: '1.50000001',
      transaction_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(ids).not.toContain(newest?.transaction_id)
    expect(await run('an amount of KAS in sompi')).toEqual([{ sompi: '1250000000' }])
    const position = 'the position of each feed, and the seconds since it was stored: a few while the feed delivers'
    await expect
      .poll(() => devnode.mine().then(() => run(position)))
      .toEqual([{ network: 'simnet', blue_score: expect.any(String), is_live: true, seconds: expect.any(Number) }])
    await run('the index by which readers follow')
    await run('the indexes of lookups by transaction and by time')
    const delivered = await run('what was stored and what was undone after a sequence, in order')
    expect(delivered.map(({ what, amount }) => [what, amount]).slice(-3)).toEqual([
      ['stored', '150000001'],
      ['stored', '200000000'],
      ['stored', '60000000'],
    ])
    expect(await run('what the owners of a token have')).toEqual([])
    await run('records of undone rows that no reader needs any more')
    await run('a role that may only insert and delete addresses, and see which count')
    await run('a role that only reads')
    await rolesAreHeld()
    const wrong = 'balances that differ from the sum of their rows: none'
    expect(await run(wrong)).toEqual([])
    const wrongOne = 'the balance of an address, where it differs from the sum of its rows: none'
    expect(await run(wrongOne)).toEqual([])
    const change = (by: number) =>
      pool.query(
        `update vue_chain.balance_row set amount = amount + $1
          where address_id = (select id from vue_chain.address where address = $2)`,
        [by, alice],
      )
    await change(1)
    const difference = { network: 'simnet', address: alice, amount: '100150000002' }
    expect(await run(wrong)).toEqual([difference])
    expect(await run(wrongOne)).toEqual([difference])
    await change(-1)
    await payoutsAreNamed()
    expect([...used].sort()).toEqual([...documented.keys()].sort()) // a further statement is tested here too
  })

  async function payoutsAreNamed(): Promise<void> {
    const queue = createQueue([devnode], postgresJournal({ pool }))
    queue.run()
    await queue.payouts.pay('w7', { address: order, amount: 5n * KAS })
    const debits = 'the debits of a hot wallet, with the ids of the payouts that each transaction has paid'
    await expect.poll(() => devnode.mine().then(() => run(debits))).toHaveLength(1)
    const [paid] = (await queue.payouts.get('w7'))!.attempts
    expect(await run(debits)).toMatchObject([
      { transaction_id: paid!.transactionId, fee: String(paid!.fee), ids: ['w7'] },
    ])
    await queue.end()
  }

  async function rolesAreHeld(): Promise<void> {
    const other = addressOf(9, 'kaspasim')
    const insert = `insert into vue_chain.watched_address (network, address) values ('simnet', '${other}')`
    const remove = `delete from vue_chain.watched_address where network = 'simnet' and address = '${alice}'`
    expect(await as('shop', insert, remove, 'select address from vue_chain.watched_address order by address')).toEqual(
      [order, other, 'kaspasim:other'].sort().map((address) => ({ address })),
    )
    const denied = { code: '42501' }
    await expect(as('shop', 'select 1 from vue_chain.transfer')).rejects.toMatchObject(denied)
    await expect(as('shop', "update vue_chain.watched_address set error = 'none'")).rejects.toMatchObject(denied)
    await expect(as('shop', 'delete from vue_chain.balance_row')).rejects.toMatchObject(denied)
    await expect(as('shop', 'truncate vue_chain.watched_address')).rejects.toMatchObject(denied)
    for (const table of ['transfer', 'balance', 'address', 'cursor', 'watched_address', 'transfer_undo'])
      await as('reader', `select 1 from vue_chain.${table}`)
    await expect(as('reader', insert)).rejects.toMatchObject(denied)
    await expect(as('reader', remove)).rejects.toMatchObject(denied)
  }

  it('restores a backup that was made while the feed ran, and continues from it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vue-chain-backup-'))
    const commands = /^pg_dump .*\npg_restore .*$/m.exec(page)?.[0] ?? ''
    const [dump = '', restore = ''] = commands.replaceAll('feed.dump', join(folder, 'feed.dump')).split('\n')
    await devnode.fund(alice, KAS)
    await devnode.mine()
    await pool.query('create database restored')
    expect(succeeds(dump.replace('"$DATABASE_URL"', '--dbname=postgres -U postgres'), cluster.port)).toBe(true)
    expect(succeeds(restore.replace('"$DATABASE_URL"', 'restored -U postgres'), cluster.port)).toBe(true)
    rmSync(folder, { recursive: true })

    await devnode.fund(alice, 2n * KAS)
    const copy = new pg.Pool({ host: '127.0.0.1', port: cluster.port, user: 'postgres', database: 'restored' })
    copy.on('error', () => undefined) // the server stops at the end
    const ended = new AbortController()
    const sink = createPostgresSink({ pool: copy })
    const continued = createFeed({ engine, watch: 'table', minConfirmations: 0, sink }).run(ended)
    continued.catch(() => undefined) // awaited below
    const sql: Sql = async (text, values) => (await copy.query<Record<string, unknown>>(text, values)).rows
    const watched = [
      { address: alice, genesis: 1_000n * KAS },
      { address: order, genesis: 0n },
    ]
    await expect.poll(() => devnode.mine().then(() => faultsOf(sql, devnode, watched))).toEqual([])
    ended.abort()
    await continued
    await copy.end()
  })

  it('divides every amount into KAS exactly', async () => {
    const [, expression = ''] = /select address, (.*) as kas/.exec(documented.get('the balance in KAS') ?? '') ?? []
    const amounts = ['1', '100000001', '2870000000000000001', '9223372036854775807']
    const { rows } = await pool.query<{ kas: string }>(
      `select ${expression} as kas from unnest($1::bigint[]) as balance (amount)`,
      [amounts],
    )
    expect(rows.map(({ kas }) => kas.replace('.', '').replace(/^0+/, ''))).toEqual(amounts)
  })
})
