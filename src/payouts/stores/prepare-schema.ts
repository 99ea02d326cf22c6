import { migrate } from '../../sql/migrate.js'
import { MIGRATIONS } from './schema.js'
import type { SqlRunner } from './sql-access.js'

/** Brings a schema to the newest version. Loaded by the first use of a journal: no other one needs its statements. */
export const prepareSchema = (runner: SqlRunner, schema: string): Promise<void> => migrate(runner, schema, MIGRATIONS)
