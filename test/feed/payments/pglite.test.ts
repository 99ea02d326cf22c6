import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll } from 'vitest'
import { createPgliteSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import { FULL } from '../../full.js'
import { createPglite } from '../support/new-pglite.js'
import { hasPostgres } from '../support/postgres-cluster.js'
import { describeAlerts } from './alerts.js'
import { describePayments } from './payments-suite.js'
import { describeRecipes } from './recipes.js'

let database: PGlite

beforeAll(async () => {
  database = await createPglite()
})
afterAll(() => database.close())

const schema = 'shop'

// The same tables and statements as on PostgreSQL: run here where that is missing.
if (FULL || !hasPostgres)
  describePayments('payments on PGlite', () => ({
    schema,
    sql: async (text, values) => (await database.query<Record<string, unknown>>(text, values)).rows,
    sink: () => createPgliteSink({ database, schema }),
    transaction: (work) => database.transaction(work),
    options: () => ({ database }),
  }))

describeAlerts(() => database)
describeRecipes(() => database)
