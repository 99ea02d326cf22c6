import { ReplaySubject, Subject, defer, map, merge, take, tap, throwError, timeout } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
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
import { createFollowing, type Following } from './following.js'

/** How a call is answered: the stream says with what, when, or with which error. */
export type Respond<M extends RpcMethod> = (
  request: RpcRequest<M>,
  socket: ScriptedSocket,
) => Observable<RpcResponse<M>>

/** The answers of a node, by method. */
export type Answers = { [M in RpcMethod]?: Respond<M> }

/** One socket to a scripted node. */
export interface ScriptedSocket extends NodeConnection {
  readonly status: 'open' | 'closed'
  /** What the socket is subscribed to. */
  readonly following: Following
  /** Tells a notification, as far as the socket is subscribed to it. */
  notify(notification: NodeNotification): void
  /** Sends a notification that cannot be read. */
  garble(type: NotificationType): void
  /** Ends the socket, as seen from the other side. */
  drop(reason?: string): void
}

export interface ScriptedSocketDeps {
  readonly endpoint: Endpoint
  readonly answers: Answers
  readonly onCall: (socket: ScriptedSocket, method: RpcMethod, request: unknown) => void
  /** Where the deadlines of calls run; without it calls have none. */
  readonly scheduler: SchedulerLike | undefined
}

export function createScriptedSocket({ endpoint, answers, onCall, scheduler }: ScriptedSocketDeps): ScriptedSocket {
  const notifications$ = new Subject<NodeNotification>()
  const malformed$ = new Subject<ChainRpcError>()
  const closed$ = new ReplaySubject<ClosedReason>(1)
  const following = createFollowing()
  let status: ScriptedSocket['status'] = 'open'

  const end = (reason: string): void => {
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
      const respond = answers[method]
      return respond === undefined ? throwError(() => unknownMethod(method)) : respond(request, socket)
    }).pipe(
      tap(() => following.note(method, request)),
      (answer$) => merge(answer$, lostDuring$(method, closed$)),
      take(1),
      within(method, options?.timeout, scheduler),
    )
  const socket: ScriptedSocket = {
    endpoint,
    get status() {
      return status
    },
    following,
    call,
    notifications$: notifications$.asObservable(),
    malformed$: malformed$.asObservable(),
    closed$: closed$.asObservable(),
    notify: (notification) => {
      const part = following.partOf(notification)
      if (part !== null) notifications$.next(part)
    },
    garble: (type) => malformed$.next(new ChainRpcError(type, new ChainError('half a frame'), { code: 'malformed' })),
    drop: (reason = 'the node went away') => end(reason),
    close: () => end('closed here'),
  }
  return socket
}

/** Ends a call with its socket: at once where that has ended before. */
const lostDuring$ = (method: RpcMethod, closed$: Observable<ClosedReason>): Observable<never> =>
  closed$.pipe(
    map(({ reason }) => {
      throw new ChainRpcError(method, new ChainError(reason), { code: 'connection-lost' })
    }),
  )

/** Ends a call that is not answered in time. */
const within = <T>(method: RpcMethod, ms: number | undefined, scheduler: SchedulerLike | undefined) =>
  ms === undefined || scheduler === undefined
    ? (answer$: Observable<T>): Observable<T> => answer$
    : timeout<T, Observable<never>>({
        first: ms,
        scheduler,
        with: () => throwError(() => new ChainRpcError(method, new ChainError(`${ms} ms`), { code: 'timeout' })),
      })

/** What a real node says to a method it has no handler for. */
const unknownMethod = (method: RpcMethod): ChainRpcError =>
  new ChainRpcError(method, new ChainError('RPC method not found'), { code: 'remote' })
