import type { NodeNotification, NotificationScope, RpcMethod, RpcRequest } from '../node/messages/records.js'
import { Observable, tap, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import { createDroppedResponses, type WaitingCall } from '../wrpc/deadlines.js'

/** The subscriptions of one socket, tracked as a node does. */
export interface SocketSubscriptions {
  /**
   * Types in the order of subscription, without UTXOs; `virtual-chain-changed with ids` if accepted transaction ids are
   * included.
   */
  readonly types: readonly string[]
  /** The addresses subscribed for UTXO changes, in the order of subscription. */
  readonly addresses: readonly string[]
  /** Applies a successful `subscribe` or `unsubscribe` call; ignores other methods. */
  record<M extends RpcMethod>(method: M, request: RpcRequest<M>): void
  /** The part of a notification that the socket is subscribed to; null for none. */
  filter(notification: NodeNotification): NodeNotification | null
}

export function createSocketSubscriptions(): SocketSubscriptions {
  const scopes = new Map<string, NotificationScope>()
  const addresses = new Set<string>()

  const subscribe = (scope: NotificationScope): void => {
    if (scope.type === 'utxos-changed') scope.addresses.forEach((address) => addresses.add(address))
    else scopes.set(scope.type, scope)
  }
  const unsubscribe = (scope: NotificationScope): void => {
    if (scope.type !== 'utxos-changed') scopes.delete(scope.type)
    else if (scope.addresses.length === 0) addresses.clear()
    else scope.addresses.forEach((address) => addresses.delete(address))
  }
  return {
    get types() {
      return [...scopes.values()].map(nameOf)
    },
    get addresses() {
      return [...addresses]
    },
    record: (method, request) => {
      if (!('scope' in request)) return
      if (method === 'subscribe') subscribe(request.scope)
      if (method === 'unsubscribe') unsubscribe(request.scope)
    },
    filter: (notification) => partOf(notification, scopes, addresses),
  }
}

const nameOf = (scope: NotificationScope): string =>
  scope.type === 'virtual-chain-changed' && scope.includeAcceptedTransactionIds ? `${scope.type} with ids` : scope.type

function partOf(
  notification: NodeNotification,
  scopes: ReadonlyMap<string, NotificationScope>,
  addresses: ReadonlySet<string>,
): NodeNotification | null {
  if (notification.type !== 'utxos-changed') return scopes.has(notification.type) ? notification : null
  const isSubscribed = ({ address }: { readonly address?: string | undefined }): boolean =>
    address !== undefined && addresses.has(address)
  const added = notification.data.added.filter(isSubscribed)
  const removed = notification.data.removed.filter(isSubscribed)
  return added.length + removed.length === 0 ? null : { type: notification.type, data: { added, removed } }
}

/** The calls of a scripted socket without a response, which fail as those of a real connection do. */
interface DroppedCalls {
  /** Fails a call with `timeout` where notifications arrive in place of its response. */
  failDropped<Response>(method: RpcMethod, timeout: number | undefined): MonoTypeOperatorFunction<Response>
  readonly onNotification: () => void
}

interface Call extends WaitingCall {
  readonly fail: () => void
}

/** Without a scheduler no call fails. */
export function createDroppedCalls(scheduler: SchedulerLike | undefined): DroppedCalls {
  const calls = new Set<Call>()
  const dropped = scheduler && createDroppedResponses(scheduler, () => [...calls])
  let order = 0n
  return {
    failDropped: (method, timeout) => (response$) =>
      new Observable((subscriber) => {
        if (timeout === undefined) return response$.subscribe(subscriber)
        const call: Call = {
          order: ++order,
          timeout,
          seconds: 0,
          fail: () => subscriber.error(responseDropped(method)),
        }
        calls.add(call)
        subscriber.add(() => calls.delete(call))
        return response$.pipe(tap(() => dropped?.onResponse(call.order))).subscribe(subscriber)
      }),
    onNotification: () => {
      for (const { fail } of dropped?.onNotification() ?? []) fail()
    },
  }
}

const responseDropped = (method: RpcMethod): ChainRpcError =>
  new ChainRpcError(method, new ChainError('Notifications, and no response'), { code: 'timeout' })
