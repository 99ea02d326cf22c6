/** One call to a fake wallet with its original arguments. */
export interface WalletCall {
  readonly method: string
  readonly args: readonly unknown[]
}

/** The calls to a fake wallet. */
export interface CallLog {
  /** In order. */
  readonly calls: readonly WalletCall[]
  /** The paths of bigints in arguments, for example `sendKaspa[1]`. No wallet accepts a bigint. */
  readonly bigints: readonly string[]
  record(method: string, args: readonly unknown[]): void
}

export function createCallLog(): CallLog {
  const calls: WalletCall[] = []
  const bigints: string[] = []
  return {
    calls,
    bigints,
    record: (method, args) => {
      calls.push({ method, args })
      args.forEach((argument, index) => bigints.push(...bigintsIn(argument, `${method}[${index}]`)))
    },
  }
}

function bigintsIn(value: unknown, path: string): string[] {
  if (typeof value === 'bigint') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => bigintsIn(member, `${path}.${key}`))
}

/** Faults that a test can plan for later calls. */
export interface WalletFaults {
  /** The next call of `method` rejects with `error`, a value of any type. */
  failNext(method: string, error: unknown): void
  /** The next call of `method` never settles. */
  dropNext(method: string): void
  /** No later call settles, as after the extension was updated or reloaded under the page. */
  dropAll(): void
  /** Delays the next call of `method` until the returned function is called. */
  delayNext(method: string): () => void
}

export interface FaultGate extends WalletFaults {
  /** Applies the next planned fault of `method`: resolves, rejects or never settles. */
  apply(method: string): Promise<void>
}

export function createFaults(): FaultGate {
  let connection: 'open' | 'lost' = 'open'
  const planned = new Map<string, (() => Promise<void>)[]>()
  const plan = (method: string, fault: () => Promise<void>): void => {
    planned.set(method, [...(planned.get(method) ?? []), fault])
  }
  return {
    failNext: (method, error) => plan(method, () => throwValue(error)),
    dropNext: (method) => plan(method, never),
    dropAll: () => {
      connection = 'lost'
    },
    delayNext: (method) => {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      plan(method, () => released)
      return release
    },
    apply: async (method) => {
      if (connection === 'lost') await never()
      const fault = planned.get(method)?.shift()
      await fault?.()
    },
  }
}

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
