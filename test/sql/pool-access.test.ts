import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createPoolAccess } from '../../src/sql/pool-access.js'
import type { PostgresClient, PostgresPool } from '../../src/sql/pool-database.js'

it('handles the failure of a connection once, whatever shares its pool', async () => {
  const events = new EventEmitter()
  const client: PostgresClient = {
    query: () => Promise.resolve({ rows: [] }),
    on: (event, listener) => events.on(event, listener),
    release: () => undefined,
  }
  const pool: PostgresPool = { connect: () => Promise.resolve(client) }
  for (let store = 0; store < 12; store++) await createPoolAccess(pool, 10_000).run((query) => query('select 1'))
  expect(events.listenerCount('error')).toBe(1)
})
