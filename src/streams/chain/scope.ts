import {
  ReplaySubject,
  Subject,
  Subscription,
  auditTime,
  filter,
  firstValueFrom,
  map,
  merge,
  of,
  skip,
  timer,
  type Observable,
} from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import { isOfType } from '../session/events.js'
import type { Session } from '../session/establish.js'
import type { NodeLink } from '../session/node-link.js'
import { connected$, endings$, type FollowedConnection } from './endings.js'
import { recordFirstAdded } from './first-added.js'
import { createPageRequests, createWitnesses, type NodeRequests, type Witness } from './node-requests.js'

export interface FollowDeps
  extends
    FollowedConnection,
    Pick<
      NodeLink,
      | 'platform'
      | 'network'
      | 'placed$'
      | 'received$'
      | 'malformed$'
      | 'call'
      | 'callOn'
      | 'acquire'
      | 'autoConnect'
      | 'leaveNode'
      | 'target'
      | 'dial'
    > {}

/** One iteration's access to the node. Every promise rejects once the iteration ends. */
export interface FollowScope extends NodeRequests {
  /** The connected node's session; waits for one. Rejects where the connection is in state `error`. */
  connected(): Promise<Session>
  /** Subscribes to changes of the chain, until the end of the iteration. */
  subscribe(): void
  /** The number of hints so far: of moments after which the node may have something new. */
  hints(): number
  /** Whether the last hint was a notification of this block as the newest of the chain. */
  isNewest(hash: string): boolean
  /** The first chain block notified since the iteration began; undefined for none. */
  firstAdded(): string | undefined
  /** Resolves at a frame after hint `seen`. */
  nextHint(seen: number): Promise<unknown>
  /** Resolves after `ms`, or with the end of the connection. */
  pause(ms: number): Promise<unknown>
  /** In [0, 1). */
  random(): number
  /** A monotonic clock, ms. */
  now(): number
  /** The clock of the machine, Unix ms. */
  time(): number
  /** The endpoints of other hosts than that of `connectedUrl`, which are connected when they are reached. */
  witnesses(connectedUrl: string): AsyncGenerator<Witness, undefined, undefined>
  /** Reports the node of a session as faulty and uses another endpoint, where there is one. */
  leaveNode(session: Session): void
  /** Throws once the iteration has ended. */
  throwIfEnded(): void
  /** Ends the iteration: releases the subscription, and rejects what is pending. */
  end(error: ChainError): void
}

const SCOPE = { type: 'virtual-chain-changed', includeAcceptedTransactionIds: false } as const

/** Opens the access to the node for one iteration, and connects for it as for a subscriber. */
export function createFollowScope(node: FollowDeps, signal?: AbortSignal): FollowScope {
  const { platform, session$ } = node
  const ended$ = new ReplaySubject<never>(1)
  const hint$ = new Subject<void>()
  const lifetime = new Subscription()
  let count = 0
  let newest: string | undefined
  let endedBy: ChainError | undefined
  let subscription: Subscription | undefined

  const end = (error: ChainError): void => {
    endedBy ??= error
    ended$.error(error)
    lifetime.unsubscribe()
  }
  const until = <T>(value$: Observable<T>): Promise<T> => firstValueFrom(merge(ended$, value$))

  lifetime.add(
    hints$(node).subscribe((hash) => {
      count++
      newest = hash
      hint$.next()
    }),
  )
  const witnesses = createWitnesses(node, lifetime)
  const firstAdded = recordFirstAdded(node)
  lifetime.add(firstAdded.recording)
  lifetime.add(endings$(node, signal).subscribe(end))
  if (!lifetime.closed) node.autoConnect()
  return {
    connected: () => until(connected$(node)),
    call: (method, request) => until(node.call(method, request)),
    ...createPageRequests((method, call) => until(node.callOn(method, call))),
    subscribe: () => {
      if (subscription !== undefined || lifetime.closed) return
      subscription = node.acquire(SCOPE)
      lifetime.add(subscription)
    },
    hints: () => count,
    isNewest: (hash) => hash === newest,
    firstAdded: firstAdded.hash,
    nextHint: (seen) =>
      until(
        merge(of(undefined), hint$).pipe(
          filter(() => count !== seen),
          auditTime(0, platform.frames),
        ),
      ),
    pause: (ms) => until(merge(timer(ms, platform.scheduler), session$.pipe(skip(1)))),
    random: () => platform.random(),
    now: () => platform.scheduler.now(),
    time: () => platform.now(),
    witnesses: (connectedUrl) => witnesses.others(connectedUrl),
    leaveNode: (session) => node.leaveNode(session),
    throwIfEnded: () => {
      if (endedBy !== undefined) throw endedBy
    },
    end,
  }
}

/** The newest block of each notification of the chain; undefined at moments after which one may be missing. */
const hints$ = ({ received$, session$, placed$, malformed$ }: FollowDeps): Observable<string | undefined> =>
  merge(
    received$.pipe(
      filter(isOfType(SCOPE.type)),
      map(({ data }) => data.addedChainBlockHashes.at(-1)),
    ),
    merge(session$, placed$, malformed$).pipe(map(() => undefined)),
  )
