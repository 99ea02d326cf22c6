/** One call that reached a fake wallet, arguments as they came. */
export interface WalletCall {
  readonly method: string
  readonly args: readonly unknown[]
}

/** What reached a fake wallet. */
export interface Journal {
  /** In order. */
  readonly calls: readonly WalletCall[]
  /** Where a bigint stood in an argument, `sendKaspa[1]` for one. No wallet understands them: a page should send none. */
  readonly bigints: readonly string[]
  note(method: string, args: readonly unknown[]): void
}

export function createJournal(): Journal {
  const calls: WalletCall[] = []
  const bigints: string[] = []
  return {
    calls,
    bigints,
    note: (method, args) => {
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
