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
import { connectionLost, isPermanent, connectTimedOut, toConnectError, resolverTimedOut } from './connect-errors.js'
import { avoidedUrls } from './endpoint-memory.js'
import type { Dialling } from './phases.js'
import type { Target } from './target.js'

/** The request to a resolver. */
export interface ResolveRequest extends Pick<Target, 'network' | 'encoding'> {
  /** Nodes that failed recently; any other node is preferred. */
  readonly avoid: ReadonlySet<string>
}

export interface DialDeps<Session> {
  readonly node: NodePort
  readonly scheduler: SchedulerLike
  /** Timeout from the dial to the end of the handshake, ms. */
  readonly connectTimeout: number
  /** Resolves a node URL; cold, only the first value is used. */
  readonly resolve: (request: ResolveRequest) => Observable<string>
  /**
   * Performs the handshake on an open socket, emits the session once and stays subscribed until unsubscribed. Errors if
   * the connection must be closed.
   */
  readonly establish: (connection: NodeConnection, target: Target) => Observable<Session>
}

/**
 * What a dial needs of its state, without the error of the dial before: an error keeps the functions of its stack in
 * memory, and they keep what they refer to. With that error each dial would keep all earlier ones.
 */
export type DialRequest = Pick<Dialling, 'dial' | 'url' | 'target' | 'memory'>

export const toDialRequest = ({ dial, url, target, memory }: Dialling): DialRequest => ({ dial, url, target, memory })

/** The events of a dial. `ended` and `refused` are final. */
export type DialEvent<Session> =
  | { readonly type: 'resolved'; readonly dial: number; readonly url: string }
  | { readonly type: 'opened'; readonly dial: number; readonly url: string; readonly session: Session }
  | { readonly type: 'ended' | 'refused'; readonly dial: number; readonly error: ChainRpcError }

/**
 * One attempt, from choosing the endpoint to the end of the connection. Never errors: its end is an event.
 * Unsubscribing closes the socket at any step.
 */
export function dial$<Session>(request: DialRequest, deps: DialDeps<Session>): Observable<DialEvent<Session>> {
  const { dial } = request
  return endpoint$(request, deps).pipe(
    switchMap((url) =>
      concat(
        of({ type: 'resolved', dial, url } as const),
        session$(url, request.target, deps).pipe(map((session) => ({ type: 'opened', dial, url, session }) as const)),
      ),
    ),
    catchError((cause: unknown) => {
      const error = toConnectError(cause)
      return of({ type: isPermanent(error) ? 'refused' : 'ended', dial, error } as const)
    }),
  )
}

/** The URL to dial: the chosen one, or the resolver's, within the timeout. */
function endpoint$<Session>({ url, target, memory }: DialRequest, deps: DialDeps<Session>): Observable<string> {
  if (url !== null) return of(url)
  const { scheduler, connectTimeout } = deps
  return deps
    .resolve({ network: target.network, encoding: target.encoding, avoid: avoidedUrls(memory) })
    .pipe(
      take(1),
      timeout({ first: connectTimeout, scheduler, with: () => throwError(() => resolverTimedOut(connectTimeout)) }),
    )
}

/** A socket and its session. Errors when either ends, or when the handshake times out. */
function session$<Session>(url: string, target: Target, deps: DialDeps<Session>): Observable<Session> {
  const { node, scheduler, connectTimeout } = deps
  return node.dial({ url, encoding: target.encoding }).pipe(
    switchMap((connection) =>
      using(
        () => new Subscription(() => connection.close()),
        () => merge(end$(connection), deps.establish(connection, target)),
      ),
    ),
    timeout({ first: connectTimeout, scheduler, with: () => throwError(() => connectTimedOut(url, connectTimeout)) }),
  )
}

/** Errors when the socket closes. */
const end$ = ({ closed$, endpoint }: NodeConnection): Observable<never> =>
  closed$.pipe(
    map((reason) => {
      throw connectionLost(endpoint.url, reason)
    }),
  )
