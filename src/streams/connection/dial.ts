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
import { ChainRpcError, connectError, droppedBy } from '../../errors/rpc-error.js'
import type { NodeConnection, NodePort, ClosedReason } from '../../node/port.js'
import { avoidedUrls, type Target } from './endpoints.js'
import type { Dialling } from './state.js'
import { causeDetails } from '../../errors/shown.js'
import { ChainError } from '../../errors/chain-error.js'
import { isCodeNotLoaded, engineDisposed } from '../../errors/not-ready-error.js'

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
type DialRequest = Pick<Dialling, 'dial' | 'url' | 'target' | 'memory'>

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

/** The errors of a connection, each with its hint. All are `ChainRpcError('connect', cause)`. */

const TIMEOUT_HINT = 'Check that a node listens there with wRPC in this encoding, or raise connectTimeout.'

/** Converts any failure to an error of `connect`; such an error is returned unchanged. */
export function toConnectError(cause: unknown): ChainRpcError {
  const why = causeDetails(cause)
  if (cause instanceof ChainRpcError) {
    if (cause.method === 'connect') return cause
    return connectError(cause, { code: cause.code, why: withDetails(cause), hint: cause.hint })
  }
  if (isCodeNotLoaded(cause)) return connectError(cause, { code: cause.code, why, hint: cause.hint })
  return connectError(cause, {
    code: 'connect-failed',
    why: why === '' ? 'for an unknown reason' : why,
    hint: 'Check the address, and that a node listens there.',
  })
}

/** A call that is part of connecting. */
const withDetails = ({ message, details }: ChainRpcError): string =>
  details === '' ? message : `${message}: ${details}`

/** Whether every further attempt at the same endpoint would fail alike. */
export const isPermanent = ({ code }: ChainRpcError): boolean =>
  code === 'wrong-network' || code === 'unsupported' || code === 'invalid-argument'

export const connectTimedOut = (url: string, timeout: number): ChainRpcError =>
  connectError(new ChainError(`${url} was not ready within ${timeout} ms`), {
    code: 'timeout',
    url,
    why: `not ready within ${timeout} ms`,
    hint: TIMEOUT_HINT,
  })

export const resolverTimedOut = (timeout: number): ChainRpcError =>
  connectError(new ChainError(`No resolver returned a node within ${timeout} ms`), {
    code: 'timeout',
    why: `no resolver returned a node within ${timeout} ms`,
    hint: TIMEOUT_HINT,
  })

export function connectionLost(url: string, { code, reason, cause }: ClosedReason): ChainRpcError {
  const message = `The connection to ${url} was lost: ${reason}`
  return new ChainRpcError('connect', new ChainError(message, { cause }), {
    code: 'connection-lost',
    message,
    ...droppedBy(code),
  })
}

export const aborted = (): ChainRpcError =>
  connectError(new ChainError('disconnect() aborted the attempt', { code: 'aborted' }), {
    code: 'aborted',
    why: 'disconnect() aborted the attempt',
  })

export const superseded = (): ChainRpcError =>
  connectError(new ChainError('A newer connect() or reconnect() replaced it', { code: 'aborted' }), {
    code: 'superseded',
    why: 'a newer connect() or reconnect() replaced it',
  })

export const disposed = (): ChainRpcError => {
  const cause = engineDisposed()
  return connectError(cause, { code: 'disposed', why: cause.message, hint: undefined })
}

export const noEndpoint = (): ChainRpcError =>
  connectError(new ChainError('There is neither a url nor a resolver'), {
    code: 'connect-failed',
    why: 'there is neither a url nor a resolver',
    hint: 'Set url or enable resolver.',
  })
