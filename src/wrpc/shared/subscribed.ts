import { toScriptPublicKey } from '../../model/address.js'
import { toScriptKey, type UtxoEntry } from '../../model/utxo.js'
import type { NodeNotification, NotificationScope, NotificationType } from '../../node/messages/records.js'

/** A request that changes what a connection is subscribed to. */
export interface SubscriptionCommand {
  readonly method: 'subscribe' | 'unsubscribe'
  readonly scope: NotificationScope
}

type PlainType = Exclude<NotificationType, 'utxos-changed' | 'virtual-chain-changed'>

/** What a virtual connection, or the node's socket for all of them, is subscribed to. */
export interface Subscribed {
  readonly plain: ReadonlySet<PlainType>
  /** With or without the accepted ids. */
  readonly chain: 'none' | 'blocks' | 'ids'
  /** Addresses by the key of their script; the node takes an empty list for all. */
  readonly utxos: 'all' | ReadonlyMap<string, string>
}

export const NOTHING: Subscribed = { plain: /*#__PURE__*/ new Set(), chain: 'none', utxos: /*#__PURE__*/ new Map() }

/** What a connection is subscribed to after a command, as a node has it. */
export function reduceSubscribed(state: Subscribed, { method, scope }: SubscriptionCommand): Subscribed {
  const isAdded = method === 'subscribe'
  if (scope.type === 'virtual-chain-changed') {
    const chain = scope.includeAcceptedTransactionIds ? 'ids' : 'blocks'
    return { ...state, chain: isAdded ? chain : 'none' }
  }
  if (scope.type === 'utxos-changed') return { ...state, utxos: reduceUtxos(state.utxos, isAdded, scope.addresses) }
  const plain = new Set(state.plain)
  plain[isAdded ? 'add' : 'delete'](scope.type)
  return { ...state, plain }
}

/** An empty list subscribes to all addresses, which a later list replaces, and unsubscribes from all. */
function reduceUtxos(before: Subscribed['utxos'], isAdded: boolean, addresses: readonly string[]): Subscribed['utxos'] {
  if (addresses.length === 0) return isAdded ? 'all' : NOTHING.utxos
  if (before === 'all' && !isAdded) return 'all'
  const after = new Map(before === 'all' ? [] : before)
  for (const address of addresses) {
    const key = scriptKeyOf(address)
    if (isAdded) after.set(key, address)
    else after.delete(key)
  }
  return after
}

/** The union of what several connections are subscribed to. */
export function unionOf(all: Iterable<Subscribed>): Subscribed {
  const plain = new Set<PlainType>()
  const addresses = new Map<string, string>()
  let chain: Subscribed['chain'] = 'none'
  let isAll = false
  for (const one of all) {
    for (const type of one.plain) plain.add(type)
    if (one.chain === 'ids' || chain === 'none') chain = one.chain
    if (one.utxos === 'all') isAll = true
    else for (const [key, address] of one.utxos) addresses.set(key, address)
  }
  return { plain, chain, utxos: isAll ? 'all' : addresses }
}

/** The next command that brings the node closer to what is wanted; null where nothing differs. */
export function nextSubscription(placed: Subscribed, wanted: Subscribed): SubscriptionCommand | null {
  for (const type of wanted.plain) if (!placed.plain.has(type)) return { method: 'subscribe', scope: { type } }
  for (const type of placed.plain) if (!wanted.plain.has(type)) return { method: 'unsubscribe', scope: { type } }
  return nextChain(placed.chain, wanted.chain) ?? nextUtxos(placed.utxos, wanted.utxos)
}

function nextChain(placed: Subscribed['chain'], wanted: Subscribed['chain']): SubscriptionCommand | null {
  if (placed === wanted) return null
  const includeAcceptedTransactionIds = (wanted === 'none' ? placed : wanted) === 'ids'
  const scope = { type: 'virtual-chain-changed', includeAcceptedTransactionIds } as const
  return { method: wanted === 'none' ? 'unsubscribe' : 'subscribe', scope }
}

function nextUtxos(placed: Subscribed['utxos'], wanted: Subscribed['utxos']): SubscriptionCommand | null {
  const toCommand = (method: SubscriptionCommand['method'], addresses: readonly string[]): SubscriptionCommand => ({
    method,
    scope: { type: 'utxos-changed', addresses: addresses.slice(0, MAX_ADDRESSES) },
  })
  if (wanted === 'all') return placed === 'all' ? null : toCommand('subscribe', [])
  if (placed === 'all')
    return wanted.size > 0 ? toCommand('subscribe', [...wanted.values()]) : toCommand('unsubscribe', [])
  const missing = [...wanted].flatMap(([key, address]) => (placed.has(key) ? [] : address))
  if (missing.length > 0) return toCommand('subscribe', missing)
  const unneeded = [...placed].flatMap(([key, address]) => (wanted.has(key) ? [] : address))
  return unneeded.length > 0 ? toCommand('unsubscribe', unneeded) : null
}

/** Addresses of one request. */
const MAX_ADDRESSES = 1_000

/** The part of a notification that a connection is subscribed to; null for none. */
export function deliver(subscribed: Subscribed, notification: NodeNotification): NodeNotification | null {
  if (notification.type === 'virtual-chain-changed') {
    if (subscribed.chain === 'ids') return notification
    return subscribed.chain === 'none'
      ? null
      : { ...notification, data: { ...notification.data, acceptedTransactionIds: [] } }
  }
  if (notification.type !== 'utxos-changed') return subscribed.plain.has(notification.type) ? notification : null
  const { utxos } = subscribed
  if (utxos === 'all') return notification
  if (utxos.size === 0) return null
  const isWanted = ({ scriptPublicKey }: UtxoEntry): boolean => utxos.has(toScriptKey(scriptPublicKey))
  const { added, removed } = notification.data
  const data = { added: added.filter(isWanted), removed: removed.filter(isWanted) }
  if (data.added.length + data.removed.length === 0) return null
  const isWhole = data.added.length === added.length && data.removed.length === removed.length
  return isWhole ? notification : { ...notification, data }
}

/** Throws `ChainError` (`invalid-argument`) for what is no address. A prefix of another network does not matter. */
export const scriptKeyOf = (address: string): string => toScriptKey(toScriptPublicKey(address))
