import { NEVER, ReplaySubject, Subject, asapScheduler, defer, observeOn, of, throwError, type Observable } from 'rxjs'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { ClosedReason, NodeConnection, NodePort } from '../../../src/node/port.js'

/** What the node answers, by method: a record, or an error that refuses. A method without an answer is never answered. */
export type Script = {
  [M in RpcMethod]?: (request: RpcRequest<M>) => RpcResponse<M> | Error
}

export const GREETING: RpcResponse<'getServerInfo'> = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 1_000n,
}

/** A node whose every word is written by the test. */
export interface ScriptedNode {
  readonly port: NodePort
  /** What it answers from now on. */
  readonly script: Script
  /** Every call it got, oldest first. */
  readonly calls: { readonly method: RpcMethod; readonly request: unknown }[]
  /** How many sockets are open to it. */
  readonly open: () => number
  readonly notify: (notification: NodeNotification) => void
  /** Cuts every connection. */
  readonly drop: () => void
}

export function createScriptedNode(script: Script = {}): ScriptedNode {
  const sockets = new Set<{ notifications$: Subject<NodeNotification>; closed$: Subject<ClosedReason> }>()
  const calls: ScriptedNode['calls'] = []
  const answers: Script = {
    getServerInfo: () => GREETING,
    subscribe: () => ({ id: 0n }),
    unsubscribe: () => ({}),
    ...script,
  }

  function open(endpoint: NodeConnection['endpoint']): NodeConnection {
    const socket = { notifications$: new Subject<NodeNotification>(), closed$: new ReplaySubject<ClosedReason>(1) }
    sockets.add(socket)
    const close = (reason: string): void => {
      sockets.delete(socket)
      socket.closed$.next({ code: 1006, reason })
      socket.closed$.complete()
      socket.notifications$.complete()
    }
    return {
      endpoint,
      call: (method, request) => defer(() => answer(method, request)),
      notifications$: socket.notifications$,
      closed$: socket.closed$,
      close: () => close('closed by us'),
    }
  }

  function answer<M extends RpcMethod>(method: M, request: RpcRequest<M>): Observable<RpcResponse<M>> {
    calls.push({ method, request })
    const said = answers[method]?.(request)
    if (said === undefined) return NEVER
    return said instanceof Error
      ? throwError(() => new ChainRpcError(method, said, { code: 'remote' }))
      : of(said).pipe(observeOn(asapScheduler))
  }

  return {
    port: { dial: (endpoint) => defer(() => of(open(endpoint))) },
    script: answers,
    calls,
    open: () => sockets.size,
    notify: (notification) => {
      for (const { notifications$ } of sockets) notifications$.next(notification)
    },
    drop: () => {
      for (const socket of [...sockets]) {
        sockets.delete(socket)
        socket.closed$.next({ code: 1006, reason: '' })
        socket.closed$.complete()
        socket.notifications$.complete()
      }
    },
  }
}

/** A node that is not there: nobody listens at its address. */
export const absentNode: NodePort = {
  dial: ({ url }) =>
    throwError(
      () => new ChainRpcError('connect', new ChainError(`Nobody listens at ${url}`), { code: 'connect-failed' }),
    ),
}
