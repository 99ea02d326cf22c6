import {
  Observable,
  firstValueFrom,
  map,
  NEVER,
  distinctUntilChanged,
  filter,
  switchMap,
  type Subscription,
} from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Session } from './establish.js'
import type { OnInvalidResponse } from './requested-entries.js'
import { isOlder } from '../../model/version.js'
import { sinceOf } from '../../node/messages/since.js'
import type { Connector } from '../connection/connection.js'
import type { ServerState } from './server-state.js'

/** How long one call may take. */
interface CallOptions {
  /** Ms. @default the engine's `requestTimeout` */
  readonly timeout?: number | undefined
  /** A bound of the timeout, ms, such as the time that is left for a task of many calls. */
  readonly maxTimeout?: number | undefined
}

/** Sends a request that a port may offer beside calls, on the connection of the session. Otherwise as a `Call`. */
export type CallOn = <Response>(
  method: RpcMethod,
  call: (connection: NodeConnection, options: { readonly timeout: number }) => Observable<Response>,
) => Observable<Response>

/** Sends one request to the connected node. Cold. Errors at once without a connection. */
export type Call = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  options?: CallOptions,
) => Observable<RpcResponse<M>>

export interface CallDeps {
  readonly session: () => Session | null
  /** The default timeout of a call, ms. */
  readonly requestTimeout: number
  /** The error of a call without a connection. */
  readonly toNotConnected: (method: RpcMethod) => Error
  readonly onResponse: (method: RpcMethod) => void
  readonly onInvalidEntries: OnInvalidResponse
}

/**
 * Creates a `Call` that works across reconnects. Requests are never repeated: a call fails with its connection.
 * One observable instead of operators, which would double the cost of a small query.
 */
export const createCall =
  (deps: CallDeps): Call =>
  (method, request, { timeout = deps.requestTimeout, maxTimeout = Infinity } = {}) =>
    requestOn(method, deps, (session) => {
      const response$ = session.connection.call(method, request, { timeout: Math.min(timeout, maxTimeout) })
      return method === 'getUtxosByAddresses' ? checked$(request, response$, session, deps) : response$
    })

function checked$<M extends RpcMethod>(
  request: RpcRequest<M>,
  response$: Observable<RpcResponse<M>>,
  { withoutForeignEntries }: Session,
  { onInvalidEntries }: CallDeps,
): Observable<RpcResponse<M>> {
  type Method = 'getUtxosByAddresses'
  return (response$ as Observable<RpcResponse<Method>>).pipe(
    map((response) => withoutForeignEntries(request as RpcRequest<Method>, response, onInvalidEntries)),
  ) as Observable<RpcResponse<M>>
}

/**
 * Sends one request, at once. Rejects as a `Call` errors. A promise costs a small query less than a `Call`, which wraps
 * the connection's observable in another one.
 */
export type Request = <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Promise<RpcResponse<M>>

export const createRequest = (deps: CallDeps): Request => {
  const call = createCall(deps)
  return (method, request) => {
    if (method === 'getUtxosByAddresses') return firstValueFrom(call(method, request))
    return new Promise((resolve, reject) => {
      const session = sessionFor(method, deps)
      if (session instanceof Error) {
        reject(session)
        return
      }
      let hasResponse = false
      session.connection.call(method, request, { timeout: deps.requestTimeout }).subscribe({
        next: (response) => {
          hasResponse = true
          deps.onResponse(method)
          resolve(response)
        },
        error: reject,
        complete: () => {
          if (!hasResponse) reject(withoutResponse(method))
        },
      })
    })
  }
}

const withoutResponse = (method: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError('The connection completed the call without a response'), { code: 'failed' })

export const createCallOn =
  (deps: CallDeps): CallOn =>
  (method, call) =>
    requestOn(method, deps, ({ connection }) => call(connection, { timeout: deps.requestTimeout }))

const requestOn = <Response>(
  method: RpcMethod,
  deps: CallDeps,
  request: (session: Session) => Observable<Response>,
): Observable<Response> =>
  new Observable((subscriber) => {
    const session = sessionFor(method, deps)
    if (session instanceof Error) {
      subscriber.error(session)
      return undefined
    }
    return request(session).subscribe({
      next: (response) => {
        deps.onResponse(method)
        subscriber.next(response)
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    })
  })

/** The session for a call, or the error of the call. */
function sessionFor(method: RpcMethod, { session, toNotConnected }: CallDeps): Session | Error {
  const current = session()
  if (current === null) return toNotConnected(method)
  return unsupported(method, current.serverInfo.serverVersion) ?? current
}

/**
 * The error of a method that a node of `serverVersion` does not have: it would close the connection. Undefined if it
 * has it.
 */
export function unsupported(method: RpcMethod, serverVersion: string): ChainRpcError | undefined {
  const since = sinceOf(method)
  if (since === undefined || !isOlder(serverVersion, since)) return undefined
  const cause = new ChainError(`The node has version ${serverVersion}; this method requires ${since}`)
  return new ChainRpcError(method, cause, { code: 'unsupported', hint: `Connect to a node of ${since} or later.` })
}

/** Reports an unhealthy node to the connector, so that the next attempt prefers others. */
export function reportFaults(
  connection: Pick<Connector<Session>, 'state' | 'reportFault'>,
  session$: Observable<Session | null>,
  server$: Observable<ServerState>,
): Subscription {
  return session$
    .pipe(
      switchMap((session) => (session === null ? NEVER : server$)),
      map(({ health }) => health),
      distinctUntilChanged(),
      filter((health) => health !== 'healthy' && health !== 'unknown'),
    )
    .subscribe(() => connection.reportFault(connection.state.dial))
}
