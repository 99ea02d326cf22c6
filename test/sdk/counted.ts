/** An SDK instance whose objects are counted: each registers for finalisation when made, and unregisters when freed. */
export interface CountedSdk {
  /** A loader of this one instance. */
  load(): Promise<unknown>
  /** How many of its objects have been made and not freed. */
  live(): number
  /** How many have been made at all. */
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

/** The glue makes its registries when the instance is made, synchronously: nobody else sees the exchanged global. */
function withRegistry<Result>(Registry: FinalizationRegistryConstructor, make: () => Result): Result {
  const original = globalThis.FinalizationRegistry
  globalThis.FinalizationRegistry = Registry
  try {
    return make()
  } finally {
    globalThis.FinalizationRegistry = original
  }
}
