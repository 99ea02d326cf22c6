import { type CoreParts, existingFeature } from '../../../../engine/core-parts.js'
import { utxoSets } from '../../../../engine/utxo-sets.js'
import type { ChainNetwork } from '../../../../model/network.js'
import { toAddressError, toFreshness } from '../../../../streams/utxos/view/state-parts.js'
import type { AddressSet } from '../../../../streams/utxos/store/store.js'
import type { Freshness } from '../../../../streams/utxos/view/state.js'
import { amountFields, errorField, fieldsOf, tag } from '../fields.js'
import type { InspectorNode } from '../inspector-node.js'

/** Addresses with a node of their own. */
const MAX_LISTED = 200

const TONES = {
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
    children: sets.slice(0, MAX_LISTED).map((set) => addressNode(set, core.network(), refetch)),
    refresh: () => refetch(sets),
    state: () => ({
      utxos: [
        ...fieldsOf({ addresses: sets.length, listed: Math.min(sets.length, MAX_LISTED), entries: sum(sets, sizeOf) }),
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
  const tags = [tag(freshness, TONES[freshness])]
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
