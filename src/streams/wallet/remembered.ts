import type { PlatformStorage } from '../../platform/port.js'

const KEY = 'vue-chain:wallet'

/** The wallet of the last visit, kept in the surroundings' storage. One that refuses is no failure: nothing is remembered. */
export interface Remembered {
  /** The wallet's id; null where none is known. */
  read(): string | null
  write(wallet: string): void
  forget(): void
}

export function rememberIn(storage: PlatformStorage | null): Remembered {
  return {
    read: () => attempt(() => storage?.get(KEY)) ?? null,
    write: (wallet) => attempt(() => storage?.set(KEY, wallet)),
    forget: () => attempt(() => storage?.remove(KEY)),
  }
}

function attempt<T>(access: () => T): T | undefined {
  try {
    return access()
  } catch {
    // A full disk or blocked cookies. The next visit begins without a wallet, which is right where nothing may be kept.
    return undefined
  }
}
