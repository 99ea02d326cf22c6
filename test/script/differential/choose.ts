import { createRandom } from '../../../src/devnode/machine.js'

/** Choices of one seed, the same in each run. */
export interface Choose {
  /** A whole number from 0 up to, not including, `limit`. */
  readonly below: (limit: number) => number
  readonly one: <Item>(items: readonly Item[]) => Item
  /** Whether something happens that does in this part of all cases. */
  readonly is: (probability: number) => boolean
  readonly bytes: (length: number) => Uint8Array<ArrayBuffer>
}

export function chooseOf(seed: number): Choose {
  const random = createRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  return {
    below,
    one: (items) => items[below(items.length)]!,
    is: (probability) => random() < probability,
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}
