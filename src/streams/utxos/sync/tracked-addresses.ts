import { Subject, filter, ignoreElements, mergeMap, tap, timer, map } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { ChainNetwork } from '../../../model/network.js'
import type { NodeLink } from '../../session/node-link.js'
import type { AddressSet, UtxoSets } from '../store/store.js'
import type { SyncCommands } from './commands.js'

/** Ms for which an address set is kept without subscribers, so that a remounted component finds it fresh. */
export const RETENTION = 1_000

/** Reference-counted address sets. The node is subscribed to an address while its set exists. */
export interface TrackedAddresses {
  /** The set of an address; subscribes to the address at the node. */
  acquire(address: string): AddressSet
  /** Removes a set that has no subscribers left after `RETENTION`. */
  release(addressSet: AddressSet): void
  /** Removes the sets of another network: testnets share addresses, but no UTXOs. */
  switchTo(network: ChainNetwork): void
  readonly removeAll: () => void
  /** Removes released sets while subscribed to. Never emits. */
  readonly removals$: Observable<never>
}

export function createTrackedAddresses(
  utxoSets: UtxoSets,
  commands$: SyncCommands,
  { acquire, platform }: Pick<NodeLink, 'acquire' | 'platform'>,
): TrackedAddresses {
  const subscriptions = new Map<AddressSet, Subscription>()
  const released$ = new Subject<AddressSet>()
  let currentNetwork: ChainNetwork | undefined
  const remove = (addressSet: AddressSet): void => {
    utxoSets.remove(addressSet)
    subscriptions.get(addressSet)?.unsubscribe()
    subscriptions.delete(addressSet)
  }
  const removeAll = (): void => [...subscriptions.keys()].forEach(remove)
  return {
    acquire: (address) => {
      const addressSet = utxoSets.open(address)
      if (!subscriptions.has(addressSet))
        subscriptions.set(addressSet, acquire({ type: 'utxos-changed', addresses: [address] }))
      return addressSet
    },
    release: (addressSet) => {
      commands$.next({ type: 'release', addressSet })
      if (addressSet.subscribers.size === 0) released$.next(addressSet)
    },
    switchTo: (network) => {
      if (network !== currentNetwork) removeAll()
      currentNetwork = network
    },
    removeAll,
    removals$: released$.pipe(
      mergeMap((addressSet) => timer(RETENTION, platform.scheduler).pipe(map(() => addressSet))),
      filter((addressSet) => addressSet.subscribers.size === 0 && subscriptions.has(addressSet)),
      tap(remove),
      ignoreElements(),
    ),
  }
}
