import { type CoreParts, existingFeature } from '../../../../engine/core-parts.js'
import { utxoSets } from '../../../../engine/utxo-sets.js'
import type { ChainNetwork } from '../../../../model/network.js'
import { toAddressError, toFreshness } from '../../../../streams/utxos/view/state-parts.js'
import type { AddressSet } from '../../../../streams/utxos/store/store.js'
import type { Freshness } from '../../../../streams/utxos/view/state.js'
import {
  amountFields,
  errorField,
  fieldsOf,
  tag,
  type InspectorNode,
  toTime,
  type Field,
  latestOf,
} from '../inspector-node.js'
import { NOTHING_PLACED, type Placed } from '../../../../streams/subscriptions/subscriptions.js'
import type { NotificationType } from '../../../../node/messages/records.js'

/** Addresses with a node of their own. */
const MAX_NODES = 200

const FRESHNESS_TONES = {
  fresh: 'good',
  loading: 'busy',
  stale: 'busy',
  unknown: 'plain',
} as const satisfies Record<Freshness, string>

/** The tracked addresses: how far their UTXOs can be trusted, and why. */
export function utxosNode(core: CoreParts): InspectorNode {
  const utxos = existingFeature(core, utxoSets)
  const sets = [...(utxos?.sets.all.values() ?? [])]
  const refetch = (addressSets: readonly AddressSet[]): void => utxos?.refetch(addressSets)
  return {
    id: 'utxos',
    label: 'UTXO trackers',
    tags: [tag(`${sets.length} addresses`)],
    children: sets.slice(0, MAX_NODES).map((set) => addressNode(set, core.network(), refetch)),
    refresh: () => refetch(sets),
    state: () => ({
      utxos: [
        ...fieldsOf({ addresses: sets.length, listed: Math.min(sets.length, MAX_NODES), entries: sum(sets, sizeOf) }),
        ...amountFields(
          'total',
          sets.reduce((total, set) => total + set.total, 0n),
          core.network(),
        ),
      ],
    }),
  }
}

function addressNode(set: AddressSet, network: ChainNetwork, refetch: (sets: AddressSet[]) => void): InspectorNode {
  const { freshness, reason } = toFreshness(set.phase)
  const tags = [tag(freshness, FRESHNESS_TONES[freshness])]
  return {
    id: `utxos/${set.address}`,
    label: set.address,
    tags: reason === null ? tags : [...tags, tag(reason)],
    refresh: () => refetch([set]),
    state: () => ({
      utxos: [
        ...fieldsOf({ address: set.address, freshness, reason }),
        errorField(toAddressError(set.phase)),
        ...fieldsOf({ trackers: set.subscribers.size, entries: sizeOf(set), invalidEntries: set.invalid.count }),
        ...amountFields('total', set.total, network),
        ...fieldsOf({ host: set.host, mempool: set.mempool }),
      ],
    }),
  }
}

const sizeOf = ({ entries }: AddressSet): number => entries.size

const sum = <T>(items: readonly T[], valueOf: (item: T) => number): number =>
  items.reduce((total, item) => total + valueOf(item), 0)

/** Addresses whose counts are listed. */
const MAX_COUNTS = 100

/** The subscriptions that streams have acquired, with their reference counts, and what the node has confirmed. */
export function subscriptionsNode({ subscriptionCounts: { scopes, addresses }, placed$ }: CoreParts): InspectorNode {
  const placed = latestOf(placed$) ?? NOTHING_PLACED
  const children = Array.from(scopes, ([name, count]) => scopeNode(name, count, placed))
  if (addresses.size > 0) children.push(addressCountsNode(addresses, placed))
  return {
    id: 'subscriptions',
    label: 'Subscriptions',
    tags: [tag(String(children.length))],
    children,
    state: () => ({
      acquired: [...fieldsOf(Object.fromEntries(scopes)), { key: 'utxos-changed, addresses', value: addresses.size }],
    }),
  }
}

function scopeNode(name: string, count: number, placed: Placed): InspectorNode {
  const type = name.replace(/ with ids$/, '') as NotificationType // the keys of the counts
  const status = placed.scopes.has(type) ? 'placed' : placed.refused.has(type) ? 'refused' : 'waiting'
  return {
    id: `subscriptions/${name}`,
    label: name,
    tags: [tag(`× ${count}`), tag(status, PLACEMENT_TONES[status])],
    state: () => ({ subscription: [...fieldsOf({ type, count, status }), ...refusalFields(placed, type)] }),
  }
}

const PLACEMENT_TONES = { placed: 'good', waiting: 'busy', refused: 'bad' } as const

function addressCountsNode(addresses: ReadonlyMap<string, number>, placed: Placed): InspectorNode {
  const listed = [...addresses].slice(0, MAX_COUNTS)
  return {
    id: 'subscriptions/utxos-changed',
    label: 'utxos-changed',
    tags: [tag(`${addresses.size} addresses`), tag(`${placed.addresses.size} placed`)],
    state: () => ({
      subscription: fieldsOf({ addresses: addresses.size, placed: placed.addresses.size, listed: listed.length }),
      counts: fieldsOf(Object.fromEntries(listed)),
      refused: listed.flatMap(([address]) => refusalFields(placed, address)),
    }),
  }
}

function refusalFields({ refused }: Placed, key: string): Field[] {
  const refusal = refused.get(key)
  if (refusal === undefined) return []
  return [errorField(refusal.error), ...fieldsOf({ tries: refusal.tries, nextRetryAt: toTime(refusal.retryAt) })]
}
