/** The newest items, at most `size`. */
export interface Ring<Item> {
  /** Constant time; allocates nothing. */
  readonly push: (item: Item) => void
  /** Oldest first. */
  readonly items: () => Item[]
  /** How many items were overwritten. */
  readonly dropped: () => number
  readonly clear: () => void
}

export function createRing<Item>(size: number): Ring<Item> {
  const slots: Item[] = []
  let next = 0
  let dropped = 0
  return {
    push: (item) => {
      if (slots.length === size) dropped++
      slots[next] = item
      next = next + 1 === size ? 0 : next + 1
    },
    items: () => (slots.length < size ? [...slots] : [...slots.slice(next), ...slots.slice(0, next)]),
    dropped: () => dropped,
    clear: () => {
      slots.length = next = dropped = 0
    },
  }
}
