/** What a list has lost and gained. */
export interface ListChanges<Item> {
  readonly removed: readonly Item[]
  readonly added: readonly Item[]
}

/**
 * What is no longer in a list and what is new in it, by identity, where it keeps the order of the others: then it costs
 * one comparison for each item. Of a list in another order more is reported, in both parts alike.
 */
export function changesOf<Item>(before: readonly Item[], after: readonly Item[]): ListChanges<Item> {
  let kept = 0
  const removed = before.filter((item) => {
    if (kept >= after.length || item !== after[kept]) return true
    kept += 1
    return false
  })
  return { removed, added: after.slice(kept) }
}

/** Maps a list; items that it shares with the one before, in the same order, stay mapped as they were. */
export function mapChanged<Item, Mapped>(
  before: readonly Item[],
  mapped: readonly Mapped[],
  after: readonly Item[],
  map: (item: Item) => Mapped,
): readonly Mapped[] {
  let count = 0
  const kept = mapped.filter((_, at) => {
    if (count >= after.length || before[at] !== after[count]) return false
    count += 1
    return true
  })
  return [...kept, ...after.slice(count).map(map)]
}

/** Whether two lists have the same texts, in the same order. */
export const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((each, at) => each === b[at]))
