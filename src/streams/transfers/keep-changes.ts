import { defer, from, merge } from 'rxjs'
import type { AddressChange, WatchedAddresses } from './watched-addresses.js'

/**
 * A view of a set that keeps the changes from now on for its first subscriber: an address that is added while the code
 * of `followTransfers` is being loaded counts as added, not as followed from the beginning.
 */
export function keepChanges(set: WatchedAddresses): WatchedAddresses {
  const kept: AddressChange[] = []
  const keeping = set.changes$.subscribe((change) => kept.push(change))
  return {
    get size() {
      return set.size
    },
    has: (address) => set.has(address),
    add: (addresses, options) => set.add(addresses, options),
    delete: (addresses) => set.delete(addresses),
    changes$: defer(() => {
      keeping.unsubscribe()
      return merge(from(kept.splice(0)), set.changes$)
    }),
    [Symbol.iterator]: () => set[Symbol.iterator](),
  }
}
