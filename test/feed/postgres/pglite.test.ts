import { PGlite } from '@electric-sql/pglite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/index.js'
import { createChainEngine } from '../../../src/engine/engine.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createPgliteSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import { FULL } from '../../full.js'
import { hasPostgres } from '../support/postgres-cluster.js'
import { faultsOf } from '../support/tables.js'
import { describeSink } from './sink-suite.js'

/** Limit in ms: a new folder takes 2 s of processor time, and machines may be busy. */
const CREATION = 300_000
const KAS = 100_000_000n
const BALANCE = 1_000n * KAS

describe('PGlite', () => {
  let database: PGlite
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-pglite-'))
    database = await PGlite.create(join(folder, 'data'))
  }, CREATION)

  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it(
    'keeps tables and cursor in a folder, which one feed uses at a time',
    async () => {
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
      await expect.poll(() => transfers, { timeout: CREATION }).toBe(10)
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
      await expect.poll(() => added, { timeout: CREATION }).toBe(1)
      again.abort()
      await ended
      database = await PGlite.create(path)
      const sql = async (text: string, values?: unknown[]) =>
        (await database.query<Record<string, unknown>>(text, values)).rows
      expect(await faultsOf(sql, devnode, [{ address, genesis: BALANCE }])).toEqual([])
      await engine.dispose()
      await devnode.close()
    },
    CREATION,
  )

  // The same tables and statements as on PostgreSQL: run here where that is missing.
  if (FULL || !hasPostgres)
    describeSink('the sink on PGlite', () => ({
      sql: async (text, values) => (await database.query<Record<string, unknown>>(text, values)).rows,
      sink: (schema) => createPgliteSink({ database, schema }),
    }))
})
