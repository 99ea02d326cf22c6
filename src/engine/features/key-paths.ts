/** The derivation path of an address that an account follows. */
export type KeyPathOf = (address: string) => string | undefined

/** Accounts that are remembered, at most: a server may open one for each customer. */
const CAPACITY = 1_000

/** The derivation paths of the accounts of an engine, for signers that have their keys. */
export interface KeyPaths {
  /** Adds an account, or replaces the one of the same key. */
  readonly register: (id: string, keyPathOf: KeyPathOf) => void
  readonly keyPathOf: KeyPathOf
}

export function keyPaths(): KeyPaths {
  const accounts = new Map<string, KeyPathOf>()
  return {
    register: (id, keyPathOf) => {
      accounts.delete(id)
      accounts.set(id, keyPathOf)
      const [oldest = ''] = accounts.keys()
      if (accounts.size > CAPACITY) accounts.delete(oldest)
    },
    keyPathOf: (address) => {
      for (const keyPathOf of accounts.values()) {
        const path = keyPathOf(address)
        if (path !== undefined) return path
      }
      return undefined
    },
  }
}
