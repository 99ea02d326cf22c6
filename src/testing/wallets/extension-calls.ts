/** Resolves after `ms`. Calls to an extension are always asynchronous. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** A promise that never settles, for dropped calls. */
export const never = <T>(): Promise<T> => new Promise<T>(ignore)

const ignore = (): void => undefined

/** A JSON copy: extensions exchange only JSON with a page. */
export function toJsonCopy<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}

/** Throws a value of any type, as wallets do with plain objects. */
export function throwValue(value: unknown): never {
  throw value
}
