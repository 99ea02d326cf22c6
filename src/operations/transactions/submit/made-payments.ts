import { BoundedMap } from '../../../model/bounded-collections.js'

/** The payments that were handed to a node: equal plans are one transaction, and no second one resolves with it. */
export interface MadePayments {
  /** Notes one whose submission resolves; false where it was noted before, also by `addUnknown`. */
  readonly add: (id: string) => boolean
  /** Notes one whose outcome is unknown: it may be made. */
  readonly addUnknown: (id: string) => void
  /** Whether the submission of one has resolved. */
  readonly has: (id: string) => boolean
}

/** Payments that are remembered: the UTXOs of older ones are spent. */
const CAPACITY = 10_000

export function createMadePayments(): MadePayments {
  /** Whether the submission of each has resolved. */
  const payments = new BoundedMap<string, boolean>(CAPACITY)
  return {
    has: (id) => payments.get(id) === true,
    add: (id) => {
      const isFirst = !payments.has(id)
      payments.set(id, true)
      return isFirst
    },
    addUnknown: (id) => {
      if (!payments.has(id)) payments.set(id, false)
    },
  }
}
