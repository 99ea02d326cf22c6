/** The payments whose submission has resolved: equal plans are one transaction, and no second call resolves with it. */
export interface MadePayments {
  /** Notes one; false where it was noted before. */
  readonly add: (id: string) => boolean
  readonly has: (id: string) => boolean
}

/** Payments that are remembered: the UTXOs of older ones are spent. */
const CAPACITY = 10_000

export function createMadePayments(): MadePayments {
  const ids = new Set<string>()
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      if (ids.has(id)) return false
      ids.add(id)
      const [oldest] = ids
      if (ids.size > CAPACITY && oldest !== undefined) ids.delete(oldest)
      return true
    },
  }
}
