/** Items by the DAA score at which they are due, lowest score first. */
export interface MaturityQueue<Item> {
  push(due: bigint, item: Item): void
  /** Removes and returns all items due at `score`. */
  takeDue(score: bigint): Item[]
  clear(): void
}

interface Slot<Item> {
  readonly due: bigint
  readonly item: Item
}

/** A binary heap: O(log n) per operation. */
export function createMaturityQueue<Item>(): MaturityQueue<Item> {
  const heap: Slot<Item>[] = []
  return {
    push: (due, item) => {
      heap.push({ due, item })
      rise(heap, heap.length - 1)
    },
    takeDue: (score) => {
      const due: Item[] = []
      for (let first = heap[0]; first !== undefined && first.due <= score; first = heap[0]) {
        due.push(first.item)
        const last = heap.pop()
        if (last !== undefined && heap.length > 0) {
          heap[0] = last
          sink(heap, 0)
        }
      }
      return due
    },
    clear: () => {
      heap.length = 0
    },
  }
}

const isBefore = <Item>(heap: readonly Slot<Item>[], a: number, b: number): boolean => {
  const [left, right] = [heap[a], heap[b]]
  return left !== undefined && right !== undefined && left.due < right.due
}

function swap<Item>(heap: Slot<Item>[], a: number, b: number): void {
  const [left, right] = [heap[a], heap[b]]
  if (left === undefined || right === undefined) return
  heap[a] = right
  heap[b] = left
}

function rise<Item>(heap: Slot<Item>[], from: number): void {
  for (let at = from, parent = (at - 1) >> 1; isBefore(heap, at, parent); at = parent, parent = (at - 1) >> 1) {
    swap(heap, at, parent)
  }
}

function sink<Item>(heap: Slot<Item>[], from: number): void {
  for (let at = from; ;) {
    const child = isBefore(heap, 2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1
    if (!isBefore(heap, child, at)) return
    swap(heap, at, child)
    at = child
  }
}
