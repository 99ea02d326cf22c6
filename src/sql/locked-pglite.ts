import { loadCode, loadPackage } from '../loading/load-code.js'
import { isNode } from '../platform/node-process.js'
import {
  type SqlDatabase,
  type SqlOpenOptions,
  createExclusive,
  type Query,
  type SqlRow,
  type SqlSession,
  toSinkError,
} from './session.js'
import { redact } from '../errors/redact.js'
import { NEVER, Subject, type Observable } from 'rxjs'

/** An instance of PGlite whose folder no other process opens meanwhile: two of them would destroy its rows. */
interface LockedPglite {
  /** Takes the lock of the folder at the first call. Rejects with `ChainError` (`failed`) while another has it. */
  open(): Promise<PgliteClient>
  /** Releases the lock; closes an instance that was opened here. */
  close(): Promise<void>
}

type Release = () => Promise<void>

/** The locks of instances of programs: several schemas share one. */
const shares = /*#__PURE__*/ new WeakMap<PgliteClient, { count: number; readonly release: Promise<Release> }>()

/** `database`: a folder, which is created, or an instance of the program. */
export function createLockedPglite(database: string | PgliteClient): LockedPglite {
  let opened: Promise<{ readonly client: PgliteClient; readonly release: Release }> | undefined
  const openOnce = async () => {
    if (typeof database === 'string') return openFolder(database)
    return { client: database, release: await share(database) }
  }
  return {
    async open() {
      opened ??= openOnce()
      try {
        return (await opened).client
      } catch (error) {
        opened = undefined // it is tried again
        throw error
      }
    },
    async close() {
      const closing = opened
      opened = undefined
      await (await closing)?.release()
    },
  }
}

async function openFolder(folder: string) {
  const { lockDataDir } = await loadCode(() => import('./data-dir-lock.js'))
  const { PGlite } = await loadPackage('@electric-sql/pglite', () => import('@electric-sql/pglite'))
  const unlock = await lockDataDir(folder)
  try {
    const client = await PGlite.create(folder)
    const release = async (): Promise<void> => {
      await client.close()
      await unlock()
    }
    return { client, release }
  } catch (error) {
    await unlock()
    throw error
  }
}

async function share(client: PgliteClient): Promise<Release> {
  const known = shares.get(client) ?? { count: 0, release: lockInstance(client) }
  known.count++
  shares.set(client, known)
  const leave = async (): Promise<void> => {
    if (--known.count > 0) return
    shares.delete(client)
    await (
      await known.release
    )()
  }
  try {
    await known.release
    return leave
  } catch (error) {
    shares.delete(client)
    throw error
  }
}

async function lockInstance({ dataDir = '' }: PgliteClient): Promise<Release> {
  const folder = dataDir.replace(/^file:\/\//, '')
  if (folder === '' || /^[a-z-]+:\/\//.test(folder) || !isNode()) return () => Promise.resolve() // in memory
  const { lockDataDir } = await loadCode(() => import('./data-dir-lock.js'))
  return lockDataDir(folder)
}

/** A database in a folder, which it creates. A lock file beside the folder keeps other processes out. */
export const createPgliteFolder = (dataDir: string): SqlDatabase => ({
  async open({ mark }: SqlOpenOptions) {
    const locked = createLockedPglite(dataDir)
    return createPgliteSession(await locked.open(), mark, () => locked.close())
  },
})

/**
 * The folder of a PGlite database: a path, or `pglite:path`. Undefined for what looks like a URL or connection
 * settings, so that no password becomes the name of a folder.
 */
export function toPgliteFolder(text: string): string | undefined {
  const folder = text.replace(/^pglite:(?!\/\/)/i, '')
  const isDrive = /^[a-z]:[\\/]/i.test(folder)
  const isSettings = folder === '' || /:\/\/|\w=/.test(folder) || redact(folder) !== folder
  return isSettings || (!isDrive && /^[a-z][a-z\d+.-]*:/i.test(folder)) ? undefined : folder
}

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
function createPgliteSession(client: PgliteClient, mark: string | undefined, end: () => Promise<void>): SqlSession {
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
