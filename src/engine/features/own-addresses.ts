import { BoundedMap } from '../../model/bounded-collections.js'
import type { ManagedAddresses } from '../../operations/transactions/transaction-operations.js'

/** The derivation path of an address that an account follows. */
export type KeyPathOf = (address: string) => string | undefined

/** Accounts that are remembered, at most: a server may open one for each customer. */
const CAPACITY = 1_000

/** The derivation paths of the accounts of an engine, for signers that have their keys. */
interface KeyPaths {
  /** Adds an account, or replaces the one of the same key. */
  readonly register: (id: string, keyPathOf: KeyPathOf) => void
  readonly keyPathOf: KeyPathOf
}

export function keyPaths(): KeyPaths {
  const accounts = new BoundedMap<string, KeyPathOf>(CAPACITY)
  return {
    register: (id, keyPathOf) => accounts.set(id, keyPathOf),
    keyPathOf: (address) => {
      for (const keyPathOf of accounts.values()) {
        const path = keyPathOf(address)
        if (path !== undefined) return path
      }
      return undefined
    },
  }
}

/** The addresses from which a payment queue of this engine pays, with its name: nothing else may spend from them. */
export const managedAddresses = (): Map<string, string> & ManagedAddresses => new Map()
