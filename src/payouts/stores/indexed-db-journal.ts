import { NEVER, Subject, catchError, from, interval, map, merge, of, take } from 'rxjs'
import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { PayoutError, SessionDropped } from '../../errors/payout-error.js'
import { holdLock, createBrowserTabs } from '../../platform/tabs.js'
import { IndexedDatabase } from '../../platform/indexed-database.js'
import type { PlatformTabs } from '../../platform/port.js'
import { SHARED_NAMES, isSharedName } from '../../platform/can-share.js'
import {
  POLL_INTERVAL,
  type JournalScope,
  type JournalSession,
  type PayoutJournal,
} from '../../streams/payouts/journal.js'
import { createIndexedDbAccess, type RunInDatabase } from './indexed-db-access.js'
import { toSchema } from './indexed-db-rows.js'

export interface IndexedDbJournalOptions {
  /** The name of the database: a-z, 0-9 and -, at most 40. @default 'payouts' */
  readonly name?: string | undefined
}

/**
 * A journal in IndexedDB, for pages: several tabs of an origin share it, and one at a time signs, under a Web Lock that
 * ends with its tab. What the browser evicts, or a user deletes, is forgotten: the same id is then paid again, so that
 * a shop keeps the ids on its server. Throws `ChainError` (`invalid-argument`); its methods reject with `ChainError`
 * (`unsupported`) where the page is not served over https, and on a server.
 */
export function indexedDbJournal(options: IndexedDbJournalOptions = {}): PayoutJournal {
  refuseUnknown(options, ['name'] satisfies (keyof IndexedDbJournalOptions)[])
  return createIndexedDbJournal(createBrowserTabs(), options.name)
}

/** As `indexedDbJournal`, over what tabs share; null where there is nothing. */
export function createIndexedDbJournal(tabs: PlatformTabs | null, name = 'payouts'): PayoutJournal {
  if (!isSharedName(name))
    throw invalidArgument('name', `"${String(name)}" is no name of a journal`, `Use ${SHARED_NAMES}.`)
  const schema = toSchema(name)
  const database = tabs && new IndexedDatabase(tabs.databases, schema)
  const changed = (): void => tabs?.notify(schema.name)
  let persisting: Promise<void> | undefined
  const run: RunInDatabase = async (mode, work) => {
    if (database === null || tabs === null) throw unsupported()
    persisting ??= tabs.persist()
    return database.run(mode, work).catch((error: unknown) => {
      throw toJournalError(error)
    })
  }
  return {
    isDurable: true,
    database: schema.name,
    access: (scope) => createIndexedDbAccess(run, scope, changed),
    async open(scope, signal) {
      if (database === null || tabs === null) throw unsupported()
      return openSession({ tabs, database, run, changed }, scope, signal)
    },
    changes$: () =>
      tabs === null ? NEVER : merge(tabs.notified$(schema.name), interval(POLL_INTERVAL)).pipe(map(() => undefined)),
  }
}

interface SessionContext {
  readonly tabs: PlatformTabs
  readonly database: IndexedDatabase
  readonly run: RunInDatabase
  readonly changed: () => void
}

/**
 * Waits for the lock. A page that is suspended releases it, because it would keep the others waiting; what it writes
 * afterwards is refused.
 */
async function openSession(
  { tabs, database, run, changed }: SessionContext,
  scope: JournalScope,
  signal: AbortSignal,
): Promise<JournalSession> {
  const lock = await holdLock(tabs.locks, lockName(scope), signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unsupported(error) // of a page without an origin
  })
  const close$ = new Subject<string>()
  const ended$ = merge(
    close$,
    tabs.suspended$.pipe(map(() => 'The page was suspended')),
    database.closed$.pipe(map(() => 'The database was closed')),
    from(lock.ended).pipe(catchError(() => of('Another tab has taken the lock'))),
  )
  let failure: SessionDropped | undefined
  const dropped = new Promise<never>((_, reject) => {
    ended$.pipe(take(1)).subscribe((reason) => {
      failure = new SessionDropped(new Error(reason ?? 'The lock was released'))
      lock.release()
      reject(failure)
    })
  })
  dropped.catch(() => undefined) // also of a session that was closed
  const runInSession: RunInDatabase = async (mode, work) => {
    if (failure !== undefined) throw failure
    return run(mode, work)
  }
  return {
    ...createIndexedDbAccess(runInSession, scope, changed),
    dropped,
    close() {
      close$.next('The session has ended')
      return Promise.resolve()
    },
  }
}

/** Held by the tab that signs. */
const lockName = ({ network, name }: JournalScope): string => `vue-chain payouts ${network} ${name}`

const unsupported = (cause?: unknown): ChainError =>
  new ChainError('A payout journal of a page needs IndexedDB and Web Locks', {
    code: 'unsupported',
    cause,
    hint: 'Browsers have them in pages served over https, and on localhost.',
  })

/** A failure of the database as a caller sees it. */
function toJournalError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error
  if (error.name === 'VersionError')
    return new PayoutError('The journal was written by a newer release', {
      code: 'schema-newer',
      cause: error,
      hint: 'Load the page again.',
    })
  return new PayoutError('The journal cannot be reached', {
    code: 'journal-unavailable',
    cause: error,
    details: `${error.name}: ${error.message}`,
    hint:
      error.name === 'QuotaExceededError'
        ? 'The storage of this origin is full: nothing was stored. Call again with the same id.'
        : 'Call again with the same id: whether it was stored is known then.',
  })
}
