import { NEVER, ReplaySubject, Subject, asapScheduler, defer, observeOn, of, throwError, type Observable } from 'rxjs'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { ClosedReason, NodeConnection, NodePort } from '../../../src/node/port.js'

/** Responses by method: a record, or an error. A method without an entry never responds. */
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

/** A node with scripted responses. */
export interface ScriptedNode {
  readonly port: NodePort
  /** The responses; may be changed at any time. */
  readonly script: Script
  /** All received calls, oldest first. */
  readonly calls: { readonly method: RpcMethod; readonly request: unknown }[]
  /** Number of open sockets. */
  readonly open: () => number
  readonly notify: (notification: NodeNotification) => void
  /** Drops every connection. */
  readonly drop: () => void
}

export function createScriptedNode(script: Script = {}): ScriptedNode {
  const sockets = new Set<{ notifications$: Subject<NodeNotification>; closed$: Subject<ClosedReason> }>()
  const calls: ScriptedNode['calls'] = []
  let daaScore = GREETING.virtualDaaScore
  const handlers: Script = {
    getServerInfo: () => ({ ...GREETING, virtualDaaScore: daaScore }),
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
      call: (method, request) => defer(() => respond(method, request)),
      notifications$: socket.notifications$,
      closed$: socket.closed$,
      close: () => close('closed by us'),
    }
  }

  function respond<M extends RpcMethod>(method: M, request: RpcRequest<M>): Observable<RpcResponse<M>> {
    calls.push({ method, request })
    const result = handlers[method]?.(request)
    if (result === undefined) return NEVER
    return result instanceof Error
      ? throwError(() => new ChainRpcError(method, result, { code: 'remote' }))
      : of(result).pipe(observeOn(asapScheduler))
  }

  return {
    port: { dial: (endpoint) => defer(() => of(open(endpoint))) },
    script: handlers,
    calls,
    open: () => sockets.size,
    notify: (notification) => {
      if (notification.type === 'virtual-daa-score-changed') daaScore = notification.data.virtualDaaScore
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

/** A node that refuses every connection. */
export const unreachableNode: NodePort = {
  dial: ({ url }) =>
    throwError(
      () => new ChainRpcError('connect', new ChainError(`No node listens at ${url}`), { code: 'connect-failed' }),
    ),
}
