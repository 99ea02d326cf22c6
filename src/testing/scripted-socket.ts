import {
  ReplaySubject,
  Subject,
  catchError,
  defer,
  from,
  isObservable,
  map,
  merge,
  of,
  take,
  tap,
  throwError,
  timeout,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type {
  NodeNotification,
  NotificationType,
  RpcMethod,
  RpcRequest,
  RpcResponse,
} from '../node/messages/records.js'
import type { ClosedReason, Endpoint, NodeConnection } from '../node/port.js'
import { createDroppedCalls, createSocketSubscriptions, type SocketSubscriptions } from './socket-state.js'
import { createBorshCodec } from '../wrpc/borsh/codec.js'
import type { WireCodec } from '../wrpc/codec.js'

/**
 * The response to a call: a record, or a promise or the first value of a stream, at any time. An `Error`, returned,
 * thrown or emitted, is the node's: the call fails with its message as `remote`.
 */
export type Respond<M extends RpcMethod> = (
  request: RpcRequest<M>,
  socket: ScriptedSocket,
) => ScriptedResponse<RpcResponse<M>>

export type ScriptedResponse<T> = T | Error | Promise<T> | Observable<T>

/** Responses by method. */
export type Responders = { [M in RpcMethod]?: Respond<M> }

/** One socket of a scripted node. */
export interface ScriptedSocket extends NodeConnection {
  readonly status: 'open' | 'closed'
  /** The socket's subscriptions. */
  readonly subscriptions: SocketSubscriptions
  /** Sends a notification if the socket is subscribed to it. */
  notify(notification: NodeNotification): void
  /** Sends a notification that cannot be decoded. */
  corrupt(type: NotificationType): void
  /** Closes the socket from the node's side. */
  drop(reason?: string): void
}

interface ScriptedSocketDeps {
  readonly endpoint: Endpoint
  readonly responders: Responders
  readonly onCall: (socket: ScriptedSocket, method: RpcMethod, request: unknown) => void
  readonly checks: RecordChecks
  /** The scheduler of call timeouts; without it calls have none. */
  readonly scheduler: SchedulerLike | undefined
}

export function createScriptedSocket(deps: ScriptedSocketDeps): ScriptedSocket {
  const { endpoint, responders, onCall, checks, scheduler } = deps
  const notifications$ = new Subject<NodeNotification>()
  const malformed$ = new Subject<ChainRpcError>()
  const closed$ = new ReplaySubject<ClosedReason>(1)
  const subscriptions = createSocketSubscriptions()
  const droppedCalls = createDroppedCalls(scheduler)
  let status: ScriptedSocket['status'] = 'open'

  const finish = (reason: string): void => {
    if (status === 'closed') return
    status = 'closed'
    closed$.next({ code: 1006, reason })
    closed$.complete()
    notifications$.complete()
    malformed$.complete()
  }
  const call: NodeConnection['call'] = (method, request, options) =>
    defer(() => {
      onCall(socket, method, request)
      const respond = responders[method]
      return respond === undefined ? throwError(() => unknownMethod(method)) : toStream(respond(request, socket))
    }).pipe(
      catchError((error: unknown) => throwError(() => toRemoteError(method, error))),
      tap((response) => {
        checks.response(method, response)
        subscriptions.record(method, request)
      }),
      (response$) => merge(response$, closedDuring$(method, closed$)),
      take(1),
      withTimeout(method, options?.timeout, scheduler),
      droppedCalls.failDropped(method, options?.timeout),
    )
  const socket: ScriptedSocket = {
    endpoint,
    get status() {
      return status
    },
    subscriptions,
    call,
    notifications$: notifications$.asObservable(),
    malformed$: malformed$.asObservable(),
    closed$: closed$.asObservable(),
    notify: (notification) => {
      const part = subscriptions.filter(notification)
      if (part === null) return
      droppedCalls.onNotification()
      notifications$.next(part)
    },
    corrupt: (type) =>
      malformed$.next(new ChainRpcError(type, new ChainError('truncated frame'), { code: 'malformed' })),
    drop: (reason = 'closed by the node') => finish(reason),
    close: () => finish('closed by the client'),
  }
  return socket
}

/** Fails a call when its socket closes or is already closed. */
const closedDuring$ = (method: RpcMethod, closed$: Observable<ClosedReason>): Observable<never> =>
  closed$.pipe(
    map(({ reason }) => {
      throw new ChainRpcError(method, new ChainError(reason), { code: 'connection-lost' })
    }),
  )

/** Fails a call without a response in time. */
const withTimeout = <T>(method: RpcMethod, ms: number | undefined, scheduler: SchedulerLike | undefined) =>
  ms === undefined || scheduler === undefined
    ? (response$: Observable<T>): Observable<T> => response$
    : timeout<T, Observable<never>>({
        first: ms,
        scheduler,
        with: () => throwError(() => new ChainRpcError(method, new ChainError(`${ms} ms`), { code: 'timeout' })),
      })

function toStream<T>(response: ScriptedResponse<T>): Observable<T> {
  if (response instanceof Error) return throwError(() => response)
  return isDelayed(response) ? from(response) : of(response)
}

const isDelayed = <T>(response: T | Promise<T> | Observable<T>): response is Promise<T> | Observable<T> =>
  response instanceof Promise || isObservable(response)

const toRemoteError = (method: RpcMethod, error: unknown): ChainRpcError =>
  error instanceof ChainRpcError ? error : new ChainRpcError(method, error, { code: 'remote' })

/** A node's error for an unknown method. */
const unknownMethod = (method: RpcMethod): ChainRpcError =>
  new ChainRpcError(method, new ChainError('RPC method not found'), { code: 'remote' })

/** Rejects records that no node could send. */
interface RecordChecks {
  /** Throws `ChainError` (`invalid-argument`) with the field; `what` is the beginning of its message. */
  response<M extends RpcMethod>(method: M, response: RpcResponse<M>, what?: string): void
  /** Throws `ChainError` (`invalid-argument`) with the field. */
  notification(notification: NodeNotification): void
}

/** Accepts every record. */
export const NO_CHECKS: RecordChecks = { response: () => undefined, notification: () => undefined }

/** One encoder for all: to compile it takes as long as to encode hundreds of records. */
const shared: { codec?: WireCodec } = {}

/** The encoder of devnode's server validates every field. */
export function createRecordChecks(): RecordChecks {
  const codec = (shared.codec ??= createBorshCodec())
  return {
    response: (method, response, what = `The scripted response to "${method}"`) =>
      withName(what, () => codec.encodeResponse(0n, method, response)),
    notification: (notification) =>
      withName(`The scripted notification "${notification.type}"`, () => codec.encodeNotification(notification)),
  }
}

function withName(what: string, encode: () => unknown): void {
  try {
    encode()
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    throw new ChainError(`${what} is malformed: ${cause.message}`, {
      code: 'invalid-argument',
      argument: cause.argument,
      hint: 'The functions of `fixtures` of vue-chain/testing make valid records.',
    })
  }
}
