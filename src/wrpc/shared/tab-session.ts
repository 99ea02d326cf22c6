import { Observable, ReplaySubject, Subject, share, type SchedulerLike } from 'rxjs'
import { PROTOCOL_VERSION, toTabMessage, type ToTab, type ToWorker, type WorkerPort } from './messages.js'

/** Why a tab has a connection of its own. */
export type SharingFault = 'blocked' | 'unresponsive'

/** The session could not begin (`fault`), or has ended: the worker has died, or the page came back from the cache. */
export class SessionEnded extends Error {
  constructor(
    message: string,
    readonly fault: SharingFault | null = null,
  ) {
    super(message)
  }
}

/** Waits for a Web Lock. It ends with the tab, or worker. `ended` rejects where it is stolen. */
export type HoldLock = (
  name: string,
  signal: AbortSignal,
) => Promise<{ readonly release: () => void; readonly ended: Promise<void> }>

export interface TabSessionDeps {
  /**
   * Connects to the worker, which it starts where it is the first. `onBlocked`: its file could not be loaded. Throws
   * where the page may have no worker, as under Trusted Types.
   */
  readonly connectWorker: (onBlocked: () => void) => WorkerPort
  readonly holdLock: HoldLock
  /** The prefix of the locks' names: those of the same name and network share. */
  readonly scope: string
  /** Random; a tab's second session is another one. */
  readonly newId: () => string
  /** The page came back from the back/forward cache: its locks and ports count as lost. */
  readonly restored$: Observable<void>
  readonly scheduler: SchedulerLike
}

/** A tab's port to the worker, after the handshake. */
export interface TabSession {
  readonly post: (message: ToWorker) => void
  /** Hot. */
  readonly messages$: Observable<ToTab>
}

/** Ms without a reply to `hello`: the worker hangs, or Chromium has handed out a dead one. */
export const HELLO_TIMEOUT = 2_000

/** The names of the locks whose release shows both sides that the other one has died. */
export const tabLock = (scope: string, id: string): string => `${scope}/tab/${id}`
export const aliveLock = (scope: string, epoch: string): string => `${scope}/alive/${epoch}`

/**
 * The session of a tab: one for all subscribers, opened for the first and closed after the last. Replays the open
 * session. Errors with `SessionEnded`; the next subscriber opens another one.
 */
export const createTabSession = (deps: TabSessionDeps, onTabs: (tabs: number) => void): Observable<TabSession> =>
  openSession$(deps, onTabs).pipe(share({ connector: () => new ReplaySubject(1) }))

const openSession$ = (deps: TabSessionDeps, onTabs: (tabs: number) => void): Observable<TabSession> =>
  new Observable((subscriber) => {
    const { scope, holdLock, scheduler } = deps
    const closing = new AbortController()
    const messages$ = new Subject<ToTab>()
    const end = (message: string, fault?: SharingFault): void => subscriber.error(new SessionEnded(message, fault))
    let port: WorkerPort | undefined
    let epoch: string | undefined

    const begin = (started: WorkerPort, first: string): void => {
      epoch = first
      slow.unsubscribe()
      holdLock(aliveLock(scope, first), closing.signal).then(
        ({ release }) => {
          release()
          end('the shared worker has ended')
        },
        () => undefined, // this session has ended first
      )
      subscriber.next({ post: (message) => started.post(message), messages$ })
    }
    const onMessage = (started: WorkerPort, message: ToTab): void => {
      if (message.type !== 'epoch') messages$.next(message)
      else if (epoch !== undefined && epoch !== message.epoch) end('the shared worker was restarted')
      else {
        onTabs(message.tabs)
        if (epoch === undefined) begin(started, message.epoch)
      }
    }
    const slow = scheduler.schedule(() => end('the shared worker did not respond', 'unresponsive'), HELLO_TIMEOUT)
    const lock = tabLock(scope, deps.newId())
    const connect = ({ release }: { readonly release: () => void }): void => {
      subscriber.add(release)
      if (subscriber.closed) return
      const started = deps.connectWorker(() => end('the shared worker could not be loaded', 'blocked'))
      port = started
      started.receive((data) => {
        const message = toTabMessage(data)
        if (message !== undefined) onMessage(started, message)
      })
      started.post({ type: 'hello', version: PROTOCOL_VERSION, lock })
    }
    holdLock(lock, closing.signal)
      .then(connect)
      .catch(() => end('the page has no lock, or no shared worker', 'blocked'))
    subscriber.add(deps.restored$.subscribe(() => end('the page was restored from the cache')))
    subscriber.add(slow)
    subscriber.add(() => {
      closing.abort()
      port?.close()
    })
  })
