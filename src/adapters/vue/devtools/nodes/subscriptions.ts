import type { CoreParts } from '../../../../engine/core-parts.js'
import { errorField, fieldsOf, tag, toTime } from '../fields.js'
import type { Field, InspectorNode } from '../inspector-node.js'
import { latestOf } from '../latest.js'
import { NOTHING_PLACED, type Placed } from '../../../../streams/subscriptions/subscriptions.js'
import type { NotificationType } from '../../../../node/messages/records.js'

/** Addresses whose counts are listed. */
const MAX_LISTED = 100

/** The subscriptions that streams have acquired, with their reference counts, and what the node has confirmed. */
export function subscriptionsNode({ subscriptionCounts: { scopes, addresses }, placed$ }: CoreParts): InspectorNode {
  const placed = latestOf(placed$) ?? NOTHING_PLACED
  const children = Array.from(scopes, ([name, count]) => scopeNode(name, count, placed))
  if (addresses.size > 0) children.push(addressesNode(addresses, placed))
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
    tags: [tag(`× ${count}`), tag(status, TONES[status])],
    state: () => ({ subscription: [...fieldsOf({ type, count, status }), ...refusalFields(placed, type)] }),
  }
}

const TONES = { placed: 'good', waiting: 'busy', refused: 'bad' } as const

function addressesNode(addresses: ReadonlyMap<string, number>, placed: Placed): InspectorNode {
  const listed = [...addresses].slice(0, MAX_LISTED)
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
