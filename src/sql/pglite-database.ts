import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Subject, type Observable } from 'rxjs'
import { loadPackage } from '../loading/load-package.js'
import { lockDataDir } from './data-dir-lock.js'
import { createExclusive } from './exclusive.js'
import { toSinkError } from './errors.js'
import type { Query, SqlDatabase, SqlOpenOptions, SqlRow, SqlSession } from './session.js'

/** Statements of an instance of `PGlite`. */
export interface PgliteQueries {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
}

/** An instance of `PGlite`, as far as it is used. */
export interface PgliteClient {
  /** Keeps statements of others out until `work` has ended. */
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T>
  listen(channel: string, callback: () => void): Promise<(...args: never[]) => Promise<void>>
  close(): Promise<void>
}

/**
 * An instance that exists. It has one connection, which the library shares with the program: so each work is a transaction of the client, which statements of the program cannot fall into.
 */
export const createSharedPglite = (client: PgliteClient): SqlDatabase => ({
  open: ({ mark }) => Promise.resolve(createSession(client, mark, () => Promise.resolve())),
})

/** A database in a folder, which it creates. A lock file beside the folder keeps other processes out. */
export const createPgliteFolder = (dataDir: string): SqlDatabase => ({
  async open({ mark }: SqlOpenOptions) {
    const { PGlite } = await loadPackage('@electric-sql/pglite', () => import('@electric-sql/pglite'))
    await mkdir(dirname(dataDir), { recursive: true })
    const release = await lockDataDir(dataDir)
    try {
      const client = await PGlite.create(dataDir)
      return createSession(client, mark, async () => {
        await client.close()
        await release()
      })
    } catch (error) {
      await release()
      throw error
    }
  },
})

function createSession(client: PgliteClient, mark: string | undefined, end: () => Promise<void>): SqlSession {
  const exclusive = createExclusive()
  const stops: (() => Promise<void>)[] = []
  const run: SqlSession['run'] = (work) =>
    exclusive(async () => {
      try {
        return await client.transaction(async (transaction) => {
          const query: Query = async (text, values = []) =>
            (await transaction.query(text, [...values])).rows as SqlRow[] // rows are records
          if (mark !== undefined) await query('select set_config($1, $2, true)', [mark, 'on'])
          return work(query)
        })
      } catch (error) {
        throw toSinkError(error)
      }
    })
  return {
    run,
    transaction: run,
    async listen(channel): Promise<Observable<void>> {
      const notified$ = new Subject<void>()
      stops.push(await client.listen(channel, () => notified$.next()))
      return notified$
    },
    dropped: new Promise<never>(() => undefined), // there is no connection to lose
    close: () =>
      exclusive(async () => {
        for (const stop of stops) await stop()
        await end()
      }).catch(() => undefined), // everything is stored already
  }
}
