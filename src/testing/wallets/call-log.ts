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
