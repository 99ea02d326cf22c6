import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs'

/** How many are remembered. What comes twice comes within moments. */
const MEMORY = 1_000

/** Lets each value through once, however often the source says it. Values are told apart by `key`, among the last 1,000. */
export const onceEach =
  <T>(key: (value: T) => unknown): MonoTypeOperatorFunction<T> =>
  (source$) =>
    defer(() => {
      const seen = new Set<unknown>()
      return source$.pipe(
        filter((value) => {
          if (seen.has(key(value))) return false
          seen.add(key(value))
          if (seen.size > MEMORY) seen.delete(seen.values().next().value) // a set keeps the order of arrival
          return true
        }),
      )
    })
