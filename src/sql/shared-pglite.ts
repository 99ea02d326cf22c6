import { NEVER, Subject, type Observable } from 'rxjs'
import { createExclusive } from './exclusive.js'
import { toSinkError } from './errors.js'
import type { Query, SqlDatabase, SqlRow, SqlSession } from './session.js'

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
  /** Where it keeps its files: a path, or a URL such as `memory://`. */
  readonly dataDir?: string | undefined
}

/**
 * An instance that exists. It has one connection, which the library shares with the program: so each work is a
 * transaction of the client, which statements of the program cannot fall into.
 */
export const createSharedPglite = (client: PgliteClient): SqlDatabase => ({
  open: ({ mark }) => Promise.resolve(createPgliteSession(client, mark, () => Promise.resolve())),
})

/** A session of an instance; `end` is called after its last statement. */
export function createPgliteSession(
  client: PgliteClient,
  mark: string | undefined,
  end: () => Promise<void>,
): SqlSession {
  const exclusive = createExclusive()
  const stops: (() => Promise<void>)[] = []
  const run: SqlSession['run'] = (work) =>
    exclusive(async () => {
      try {
        return await client.transaction(async (transaction) => {
          const query: Query = async (text, values = []) =>
            (await transaction.query(text, [...values])).rows as SqlRow[] // rows are records
          if (mark !== undefined) await query(`set local ${mark} = 'on'`) // no query: the isolation level can follow
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
    heartbeat$: NEVER,
    dropped: new Promise<never>(() => undefined), // there is no connection to lose
    close: () =>
      exclusive(async () => {
        for (const stop of stops) await stop()
        await end()
      }).catch(() => undefined), // everything is stored already
  }
}
