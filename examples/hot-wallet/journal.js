// Where the payments are stored: PostgreSQL, or PGlite in a folder to try it without a server.
import { pgliteJournal, postgresJournal } from 'vue-chain/payouts'

/** @param {string} database a URL of PostgreSQL, or a folder */
export async function openJournal(database) {
  if (!/^postgres(ql)?:/.test(database)) {
    const journal = pgliteJournal({ database }) // no other process can open the folder
    return { journal, close: () => journal.close() }
  }
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: database })
  pool.on('error', (error) => console.error(String(error))) // it opens another connection
  return { journal: postgresJournal({ pool }), close: () => pool.end() }
}
