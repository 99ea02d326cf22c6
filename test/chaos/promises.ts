import { until } from './until.js'

/** Tracks promises until they settle. */
export interface Promises {
  /** Adds a promise. */
  watch(name: string, promise: Promise<unknown>): void
  /** Number of fulfilled promises of a name. */
  fulfilled(name: string): number
  /** Names of the promises still pending after `deadline` ms. */
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
