import {
  Subscription,
  catchError,
  concat,
  map,
  merge,
  of,
  switchMap,
  take,
  throwError,
  timeout,
  using,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { NodeConnection, NodePort } from '../../node/port.js'
import { connectionLost, isForGood, timedOut, toConnectError, unresolved } from './connect-errors.js'
import { toAvoid } from './endpoint-memory.js'
import type { Dialling } from './phases.js'
import type { Target } from './target.js'

/** What a resolver is asked. */
export interface ResolveRequest extends Pick<Target, 'network' | 'encoding'> {
  /** Nodes that failed lately: any other is better. */
  readonly avoid: ReadonlySet<string>
}

export interface DialDeps<Session> {
  readonly node: NodePort
  readonly scheduler: SchedulerLike
  /** Ms from dialling to the end of the handshake. */
  readonly connectTimeout: number
  /** Names a node; cold, and heard once. */
  readonly resolve: (request: ResolveRequest) => Observable<string>
  /**
   * Makes a session of an open socket: emits it once when the handshake is done, goes on working until it is let go,
   * and errors when the connection is not worth keeping.
   */
  readonly establish: (connection: NodeConnection, target: Target) => Observable<Session>
}

/** What a dial has to tell. After `ended` or `refused` nothing follows. */
export type DialEvent<Session> =
  | { readonly type: 'resolved'; readonly dial: number; readonly url: string }
  | { readonly type: 'opened'; readonly dial: number; readonly url: string; readonly session: Session }
  | { readonly type: 'ended' | 'refused'; readonly dial: number; readonly error: ChainRpcError }

/**
 * One attempt, from naming the endpoint to the end of the connection it made. Never errors: its end is an event.
 * Unsubscribing hangs up, wherever it stands.
 */
export function dial$<Session>(state: Dialling, deps: DialDeps<Session>): Observable<DialEvent<Session>> {
  const { dial } = state
  return endpoint$(state, deps).pipe(
    switchMap((url) =>
      concat(
        of({ type: 'resolved', dial, url } as const),
        session$(url, state.target, deps).pipe(map((session) => ({ type: 'opened', dial, url, session }) as const)),
      ),
    ),
    catchError((cause: unknown) => {
      const error = toConnectError(cause)
      return of({ type: isForGood(error) ? 'refused' : 'ended', dial, error } as const)
    }),
  )
}

/** The endpoint that is to be dialled: the one chosen, or the one a resolver names in time. */
function endpoint$<Session>({ url, target, memory }: Dialling, deps: DialDeps<Session>): Observable<string> {
  if (url !== null) return of(url)
  const { scheduler, connectTimeout } = deps
  return deps
    .resolve({ network: target.network, encoding: target.encoding, avoid: toAvoid(memory) })
    .pipe(
      take(1),
      timeout({ first: connectTimeout, scheduler, with: () => throwError(() => unresolved(connectTimeout)) }),
    )
}

/** A socket and its session. Errors when either ends, or when the handshake takes too long. */
function session$<Session>(url: string, target: Target, deps: DialDeps<Session>): Observable<Session> {
  const { node, scheduler, connectTimeout } = deps
  return node.dial({ url, encoding: target.encoding }).pipe(
    switchMap((connection) =>
      using(
        () => new Subscription(() => connection.close()),
        () => merge(end$(connection), deps.establish(connection, target)),
      ),
    ),
    timeout({ first: connectTimeout, scheduler, with: () => throwError(() => timedOut(url, connectTimeout)) }),
  )
}

/** Errors when the socket has ended. */
const end$ = ({ closed$, endpoint }: NodeConnection): Observable<never> =>
  closed$.pipe(
    map((reason) => {
      throw connectionLost(endpoint.url, reason)
    }),
  )
