/** Where a server keeps the nonces that it issued: a table, a cache, or `createMemoryNonceStore()` for one process. */
export interface NonceStore {
  /** Stores a nonce until `expiresAt` (Unix time, ms). */
  add(nonce: string, expiresAt: number): void | Promise<void>
  /**
   * Removes a nonce; `true` where it was there and has not expired. Atomic: of two calls for one nonce, one resolves to
   * `true`.
   */
  consume(nonce: string): boolean | Promise<boolean>
}

export interface MemoryNonceStoreOptions {
  /** Nonces that are kept; beyond it the oldest is dropped. @default 100000 */
  readonly maxNonces?: number | undefined
  /** Unix time, ms. @default the clock of the system */
  readonly now?: (() => number) | undefined
}

/** Nonces of one process, in memory. Those that have expired are removed when the next one is added. */
export function createMemoryNonceStore(options: MemoryNonceStoreOptions = {}): NonceStore {
  const { maxNonces = 100_000, now = () => Date.now() } = options
  const nonces = new Map<string, number>()

  /** The oldest come first, and expire first where they are valid for the same time. */
  function prune(): void {
    const time = now()
    for (const [nonce, expiresAt] of nonces) {
      if (expiresAt > time && nonces.size < maxNonces) return
      nonces.delete(nonce)
    }
  }
  return {
    add: (nonce, expiresAt) => {
      prune()
      nonces.set(nonce, expiresAt)
    },
    consume: (nonce) => {
      const expiresAt = nonces.get(nonce)
      nonces.delete(nonce)
      return expiresAt !== undefined && expiresAt > now()
    },
  }
}
