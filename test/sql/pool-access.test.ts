import { expect, it } from 'vitest'
import { createPoolAccess } from '../../src/sql/pool-access.js'
import type { PostgresClient, PostgresPool } from '../../src/sql/pool-database.js'

it('handles the failure of a connection once, whatever shares its pool', async () => {
  const handled: string[] = []
  const client: PostgresClient = {
    query: () => Promise.resolve({ rows: [] }),
    on: (event: string) => handled.push(event),
    release: () => undefined,
  }
  const pool: PostgresPool = { connect: () => Promise.resolve(client) }
  for (let store = 0; store < 12; store++) await createPoolAccess(pool, 10_000).run((query) => query('select 1'))
  expect(handled).toEqual(['error'])
})
