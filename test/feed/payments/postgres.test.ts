import type pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { createPostgresSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../support/postgres-cluster.js'
import { describePayments } from './payments-suite.js'

describe.skipIf(!hasPostgres)('PostgreSQL (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool

  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool(undefined, 20)
  })
  afterAll(() => cluster.stop())

  describePayments('payments on PostgreSQL', () => {
    const schema = 'shop'
    return {
      schema,
      sql: async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows,
      sink: () => createPostgresSink({ pool, schema }),
      async transaction(work) {
        const client = await pool.connect()
        try {
          await client.query('begin')
          const result = await work(client)
          await client.query('commit')
          return result
        } catch (error) {
          await client.query('rollback')
          throw error
        } finally {
          client.release()
        }
      },
      options: () => ({ pool }),
    }
  })
})
