/** Resolves after `ms` milliseconds: no answer of an extension comes at once. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** A promise that is never settled: the fate of calls that a wallet loses. */
export const never = <T>(): Promise<T> => new Promise<T>(ignore)

const ignore = (): void => undefined

/** What JSON makes of a value: nothing else comes through from an extension. */
export function toJsonCopy<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}
