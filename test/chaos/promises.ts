import { until } from './until.js'

/** Every promise that was handed out, until it settles, whichever way. */
export interface Promises {
  /** Watches a promise. What it comes to is no matter, as long as it comes to something. */
  watch(name: string, promise: Promise<unknown>): void
  /** How many of a name were fulfilled so far. */
  fulfilled(name: string): number
  /** Names of those that have not settled within `deadline` ms. */
  hung(deadline: number): Promise<readonly string[]>
}

export function createPromises(): Promises {
  const pending = new Map<symbol, string>()
  const fulfilled = new Map<string, number>()
  return {
    watch(name, promise) {
      const key = Symbol(name)
      pending.set(key, name)
      const settle = (): boolean => pending.delete(key)
      promise.then(() => fulfilled.set(name, (fulfilled.get(name) ?? 0) + 1)).then(settle, settle)
    },
    fulfilled: (name) => fulfilled.get(name) ?? 0,
    async hung(deadline) {
      await until(() => pending.size === 0, deadline)
      return [...pending.values()]
    },
  }
}
