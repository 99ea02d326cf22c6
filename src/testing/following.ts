import type { NodeNotification, NotificationScope, RpcMethod, RpcRequest } from '../node/messages/records.js'

/** What one socket is subscribed to, kept as a node keeps it. */
export interface Following {
  /** Types in the order of subscription, UTXOs apart; `virtual-chain-changed with ids` where those were asked for. */
  readonly types: readonly string[]
  /** The addresses whose UTXOs are told, in the order of subscription. */
  readonly addresses: readonly string[]
  /** Takes note of a call that was answered. */
  note<M extends RpcMethod>(method: M, request: RpcRequest<M>): void
  /** What of a notification is to be told; null for nothing. */
  partOf(notification: NodeNotification): NodeNotification | null
}

export function createFollowing(): Following {
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
      return [...scopes.values()].map(toName)
    },
    get addresses() {
      return [...addresses]
    },
    note: (method, request) => {
      if (!('scope' in request)) return
      if (method === 'subscribe') subscribe(request.scope)
      if (method === 'unsubscribe') unsubscribe(request.scope)
    },
    partOf: (notification) => partOf(notification, scopes, addresses),
  }
}

const toName = (scope: NotificationScope): string =>
  scope.type === 'virtual-chain-changed' && scope.includeAcceptedTransactionIds ? `${scope.type} with ids` : scope.type

function partOf(
  notification: NodeNotification,
  scopes: ReadonlyMap<string, NotificationScope>,
  addresses: ReadonlySet<string>,
): NodeNotification | null {
  if (notification.type !== 'utxos-changed') return scopes.has(notification.type) ? notification : null
  const isWatched = ({ address }: { readonly address?: string | undefined }): boolean =>
    address !== undefined && addresses.has(address)
  const added = notification.data.added.filter(isWatched)
  const removed = notification.data.removed.filter(isWatched)
  return added.length + removed.length === 0 ? null : { type: notification.type, data: { added, removed } }
}
