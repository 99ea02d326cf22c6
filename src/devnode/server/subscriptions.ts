import { toAddress, toScriptPublicKey } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import type { NodeNotification, NotificationScope, NotificationType } from '../../node/messages/records.js'

type PlainType = Exclude<NotificationType, 'virtual-chain-changed' | 'utxos-changed'>

/** The subscriptions of one connection. */
export interface Subscriptions {
  readonly plain: ReadonlySet<PlainType>
  readonly virtualChain: 'none' | 'without-ids' | 'with-ids'
  /** The watched addresses, with the node's own prefix: a node compares scripts only. */
  readonly utxos: 'none' | 'all' | ReadonlySet<string>
}

export interface SubscriptionRequest {
  readonly type: 'subscribe' | 'unsubscribe'
  readonly scope: NotificationScope
}

export const NO_SUBSCRIPTIONS: Subscriptions = { plain: new Set(), virtualChain: 'none', utxos: 'none' }

/**
 * The subscriptions after `request`. Subscribing twice has no effect, the last flag wins, address sets are merged, a
 * set replaces "all addresses", and an empty list means all.
 */
export function reduceSubscriptions(
  state: Subscriptions,
  request: SubscriptionRequest,
  prefix: AddressPrefix,
): Subscriptions {
  const { type, scope } = request
  if (scope.type === 'utxos-changed') {
    const addresses = scope.addresses.map((address) => toOwnAddress(address, prefix))
    return { ...state, utxos: type === 'subscribe' ? watch(state.utxos, addresses) : unwatch(state.utxos, addresses) }
  }
  if (scope.type === 'virtual-chain-changed') {
    const mode = scope.includeAcceptedTransactionIds ? 'with-ids' : 'without-ids'
    return { ...state, virtualChain: type === 'subscribe' ? mode : 'none' }
  }
  const plain = new Set(state.plain)
  if (type === 'subscribe') plain.add(scope.type)
  else plain.delete(scope.type)
  return { ...state, plain }
}

/** A notification as a connection with these subscriptions receives it; undefined: not at all. */
export function restrictToScope(notification: NodeNotification, state: Subscriptions): NodeNotification | undefined {
  switch (notification.type) {
    case 'utxos-changed':
      return restrictUtxos(notification, state.utxos)
    case 'virtual-chain-changed':
      if (state.virtualChain === 'none') return undefined
      return state.virtualChain === 'with-ids'
        ? notification
        : { ...notification, data: { ...notification.data, acceptedTransactionIds: [] } }
    default:
      return state.plain.has(notification.type) ? notification : undefined
  }
}

/** The subscriptions as the scopes that would place them. */
export function toScopes({ plain, virtualChain, utxos }: Subscriptions): readonly NotificationScope[] {
  const scopes: NotificationScope[] = [...plain].map((type) => ({ type }))
  if (virtualChain !== 'none') {
    scopes.push({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: virtualChain === 'with-ids' })
  }
  if (utxos !== 'none') scopes.push({ type: 'utxos-changed', addresses: utxos === 'all' ? [] : [...utxos] })
  return scopes
}

type WatchedUtxos = Subscriptions['utxos']

function watch(utxos: WatchedUtxos, addresses: readonly string[]): WatchedUtxos {
  if (addresses.length === 0) return 'all'
  return typeof utxos === 'string' ? new Set(addresses) : new Set([...utxos, ...addresses])
}

function unwatch(utxos: WatchedUtxos, addresses: readonly string[]): WatchedUtxos {
  if (addresses.length === 0) return 'none'
  if (typeof utxos === 'string') return utxos
  const remaining = new Set(utxos)
  for (const address of addresses) remaining.delete(address)
  return remaining.size === 0 ? 'none' : remaining
}

function restrictUtxos(
  notification: Extract<NodeNotification, { type: 'utxos-changed' }>,
  utxos: WatchedUtxos,
): NodeNotification | undefined {
  if (utxos === 'none') return undefined
  if (utxos === 'all') return notification
  const isWatched = ({ address }: { readonly address?: string | undefined }) =>
    address !== undefined && utxos.has(address)
  const added = notification.data.added.filter(isWatched)
  const removed = notification.data.removed.filter(isWatched)
  return added.length + removed.length === 0 ? undefined : { type: 'utxos-changed', data: { added, removed } }
}

/** The codec has validated the address. Another network's prefix is replaced by ours, as the node does. */
const toOwnAddress = (address: string, prefix: AddressPrefix): string =>
  address.startsWith(`${prefix}:`) ? address : (toAddress(toScriptPublicKey(address), prefix) ?? address)
