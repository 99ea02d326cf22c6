import type { Outpoint } from '../../../model/utxo.js'
import type { OutpointHash } from './outpoint-hash.js'
import { OutpointMap } from './outpoint-map.js'

/** Records by outpoint: at least the newest `limit` of them, at most twice as many. */
export interface RecentRecords<Item> {
  readonly size: number
  get(outpoint: Outpoint): Item | undefined
  put(item: Item): void
  remove(outpoint: Outpoint): void
}

/** Two generations: when the younger one is full, the older one is dropped. Constant time per operation. */
export function createRecentRecords<Item extends { readonly outpoint: Outpoint }>(
  hash: OutpointHash,
  limit: number,
): RecentRecords<Item> {
  let young = new OutpointMap<Item>(hash)
  let old = young.emptyCopy()
  return {
    get size() {
      return young.size + old.size
    },
    get: (outpoint) => young.get(outpoint) ?? old.get(outpoint),
    put: (item) => {
      old.remove(item.outpoint)
      young.put(item)
      if (young.size < limit) return
      old = young
      young = old.emptyCopy()
    },
    remove: (outpoint) => {
      young.remove(outpoint)
      old.remove(outpoint)
    },
  }
}
