/**
 * An SDK instance that counts its objects: each registers for finalisation when created, and unregisters when freed.
 */
export interface CountedSdk {
  /** A loader of this one instance. */
  load(): Promise<unknown>
  /** Number of objects created and not freed. */
  live(): number
  /** Number of objects created. */
  made(): number
}

export async function countedSdk(): Promise<CountedSdk> {
  const { createSdk } = await import('#sdk')
  const counts = { made: 0, freed: 0 }
  class CountingRegistry<Held> extends FinalizationRegistry<Held> {
    override register(...args: [WeakKey, Held, WeakKey?]): void {
      counts.made++
      super.register(...args)
    }
    override unregister(token: WeakKey): boolean {
      const known = super.unregister(token)
      if (known) counts.freed++
      return known
    }
  }
  const instance = withRegistry(CountingRegistry, createSdk)
  return {
    load: () => Promise.resolve(instance),
    live: () => counts.made - counts.freed,
    made: () => counts.made,
  }
}

/** The glue creates its registries synchronously with the instance, so no other code sees the replaced global. */
function withRegistry<Result>(Registry: FinalizationRegistryConstructor, make: () => Result): Result {
  const original = globalThis.FinalizationRegistry
  globalThis.FinalizationRegistry = Registry
  try {
    return make()
  } finally {
    globalThis.FinalizationRegistry = original
  }
}
