/** Values by request id. Ids ascend, and most calls end before many others begin. */
export interface CallTable<Value> {
  get(id: bigint): Value | undefined
  set(id: bigint, value: Value): void
  delete(id: bigint): void
  /** In the order of their ids. */
  values(): Value[]
}

/** The number of slots, a power of two. */
const SLOTS = 64

interface Slot<Value> {
  readonly id: bigint
  readonly value: Value
}

/**
 * The newest ids are in slots, one that outlives the next 63 moves to a map. A map alone would allocate its table again
 * every few calls.
 */
export function createCallTable<Value>(): CallTable<Value> {
  const slots = new Array<Slot<Value> | undefined>(SLOTS).fill(undefined)
  const older = new Map<bigint, Value>()
  return {
    get: (id) => {
      const slot = slots[slotOf(id)]
      return slot?.id === id ? slot.value : older.get(id)
    },
    set: (id, value) => {
      const slot = slots[slotOf(id)]
      if (slot !== undefined) older.set(slot.id, slot.value)
      slots[slotOf(id)] = { id, value }
    },
    delete: (id) => {
      if (slots[slotOf(id)]?.id === id) slots[slotOf(id)] = undefined
      else older.delete(id)
    },
    values: () => {
      const newest = slots.filter((slot) => slot !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1))
      return [...older.values(), ...newest.map(({ value }) => value)]
    },
  }
}

const slotOf = (id: bigint): number => Number(BigInt.asUintN(6, id))
