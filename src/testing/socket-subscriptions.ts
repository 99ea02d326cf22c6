import type { NodeNotification, NotificationScope, RpcMethod, RpcRequest } from '../node/messages/records.js'

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
