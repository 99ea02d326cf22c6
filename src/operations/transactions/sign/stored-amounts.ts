import { isHex } from '../../../model/hex.js'
import type { PlatformStorage } from '../../../platform/port.js'
import type { SignedDigests } from './signed-amounts.js'

/** Ids and digests, oldest first. */
type Kept = readonly (readonly [id: string, digest: string])[]

const KEY = 'vue-chain.signed-amounts'

/** The newest payments that are kept, some 140 kB. The UTXOs of older ones are spent. */
const CAPACITY = 1_000

/** Keeps the digests of signed amounts in the storage of a browser, shared by its tabs. */
export function createStoredAmounts(storage: PlatformStorage): SignedDigests {
  const read = (): Kept => parse(storage.get(KEY))
  return {
    get: (id) => read().find(([known]) => known === id)?.[1],
    set: (id, digest) => {
      const others = read().filter(([known]) => known !== id)
      storage.set(KEY, JSON.stringify([...others, [id, digest]].slice(-CAPACITY)))
    },
  }
}

function parse(text: string | null): Kept {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPair) : []
  } catch {
    return [] // changed by another program of this origin
  }
}

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && isHex(value[0], 32) && isHex(value[1], 32)
