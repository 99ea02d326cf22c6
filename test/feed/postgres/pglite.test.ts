import { PGlite } from '@electric-sql/pglite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/index.js'
import { createChainEngine } from '../../../src/engine/engine.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createPgliteSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import { createSharedPglite } from '../../../src/sql/locked-pglite.js'
import { FULL } from '../../full.js'
import { makePgliteFolder } from '../support/new-pglite.js'
import { hasPostgres } from '../support/postgres-cluster.js'
import { stepOf } from '../support/steps.js'
import { faultsOf } from '../support/tables.js'
import { countPglite } from '../support/transactions.js'
import { describeContractFeed } from './contract-feed-suite.js'
import { describeNarrowRows } from './narrow-rows-suite.js'
import { describeSink } from './sink-suite.js'
import { describeTokenFeed } from './token-feed-suite.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS

describe('PGlite', () => {
  let database: PGlite
  let counted: ReturnType<typeof countPglite>
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-pglite-'))
    await makePgliteFolder(join(folder, 'data'))
    database = await PGlite.create(join(folder, 'data'))
  })

  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('keeps tables and cursor in a folder, which one feed uses at a time', async () => {
    await database.close()
    const path = join(folder, 'data')
    writeFileSync(`${path}.lock`, '{"pid":4194999,"started":"1"}') // of a process that was killed
    const devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: BALANCE })
    const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await engine.connection.connect()
    const { address } = devnode.accounts[0]!
    const create = () =>
      createFeed({ engine, watch: [address], minConfirmations: 0, sink: createPgliteSink({ database: path }) })
    const first = create()
    const stopped = new AbortController()
    let transfers = 0
    first.status$.subscribe((status) => (transfers = status.transfers))
    const done = first.run({ signal: stopped.signal })
    await expect.poll(() => transfers).toBe(10)
    await expect(create().run()).rejects.toMatchObject({
      message: `The data directory is in use by this process, ${process.pid}`,
      details: `${path}.lock`,
    })
    stopped.abort()
    await done

    await devnode.fund(address, KAS)
    await devnode.mine(2)
    const again = new AbortController()
    const second = create()
    let added = 0
    second.status$.subscribe((status) => (added = status.transfers))
    const ended = second.run({ signal: again.signal })
    await expect.poll(() => added).toBe(1)
    again.abort()
    await ended
    database = await PGlite.create(path)
    const sql = async (text: string, values?: unknown[]) =>
      (await database.query<Record<string, unknown>>(text, values)).rows
    expect(await faultsOf(sql, devnode, [{ address, genesis: BALANCE }])).toEqual([])
    await engine.dispose()
    await devnode.close()
  })

  it('leaves rows alone that the program writes beside a step that is rolled back', async () => {
    const sink = createPgliteSink({ database, schema: 'beside' })
    const session = await sink.open({ network: 'testnet-10', watch: 'given', signal: new AbortController().signal })
    await session.write(stepOf(0, 1, 1))
    await database.exec('create table own (id integer primary key)')
    await database.query("update beside.cursor set value = 'another'") // of another writer: steps are rolled back
    const rollback = { hash: '00', blueScore: 0n, daaScore: 0n }
    const acknowledged: number[] = []
    const write = async (): Promise<void> => {
      for (let id = 0; id < 50; id++) {
        await database.query('insert into own values ($1)', [id])
        acknowledged.push(id)
      }
    }
    const writing = write()
    while (acknowledged.length < 50)
      await expect(session.write({ ...stepOf(1, 1, 1), rollback })).rejects.toMatchObject({ code: 'taken-over' })
    await writing
    await session.close()
    const { rows } = await database.query<{ id: number }>('select id from own order by id')
    expect(rows.map(({ id }) => id)).toEqual(acknowledged)
  })

  // The same tables and statements as on PostgreSQL: run here where that is missing.
  if (FULL || !hasPostgres) {
    beforeEach(() => void (counted = countPglite(database)))
    describeSink('the sink on PGlite', () => ({
      sql: async (text, values) => (await database.query<Record<string, unknown>>(text, values)).rows,
      sink: (schema, retain) => createPgliteSink({ database: counted.client, schema, retain }),
      transactions: () => counted.transactions(),
    }))
    describeNarrowRows('tables of version 5 on PGlite', () => ({
      sql: async (text) => (await database.query<Record<string, unknown>>(text)).rows,
      open: () => createSharedPglite(database).open({ lease: '', signal: new AbortController().signal }),
    }))
    describeContractFeed('contracts on PGlite', () => ({
      database,
      sql: async (text) => (await database.query<Record<string, unknown>>(text)).rows,
    }))
    describeTokenFeed('tokens on PGlite', () => ({
      sink: (schema) => createPgliteSink({ database, schema }),
      sql: async (text) => (await database.query<Record<string, unknown>>(text)).rows,
    }))
  }
})
