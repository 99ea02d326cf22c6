import { BoundedMap } from '../../model/bounded-collections.js'

/** Payments that are remembered, at most: a day of one in ten seconds. */
const CAPACITY = 10_000

/** The change addresses of own payments: a node does not say which output is the change. */
export interface OwnChanges {
  readonly remember: (transactionId: string, address: string) => void
  /** Whether an address got the change of a payment. */
  readonly isChange: (address: string, transactionId: string) => boolean
}

export function ownChanges(): OwnChanges {
  const addresses = new BoundedMap<string, string>(CAPACITY)
  return {
    remember: (transactionId, address) => addresses.set(transactionId, address),
    isChange: (address, transactionId) => addresses.get(transactionId) === address,
  }
}
