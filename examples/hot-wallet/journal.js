// Where the payments are stored: PostgreSQL, or PGlite in a folder to try it without a server.
import { pgliteJournal, postgresJournal } from 'vue-chain/payouts'

/** @param {string} database a URL of PostgreSQL, or a folder */
export async function openJournal(database) {
  if (!/^postgres(ql)?:/.test(database)) {
    const { PGlite } = await import('@electric-sql/pglite')
    const pglite = await PGlite.create(database) // no other process may open the folder
    return { journal: pgliteJournal({ database: pglite }), close: () => pglite.close() }
  }
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: database })
  pool.on('error', (error) => console.error(String(error))) // it opens another connection
  return { journal: postgresJournal({ pool }), close: () => pool.end() }
}
