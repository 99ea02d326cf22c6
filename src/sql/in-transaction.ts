import type { Query } from './session.js'

/** Runs statements of one connection in a transaction, read committed, which a rejection rolls back. */
export async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query('begin isolation level read committed')
  try {
    const result = await work(query)
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => undefined) // the first error says why
    throw error
  }
}
