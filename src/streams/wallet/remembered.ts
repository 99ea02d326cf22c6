import type { PlatformStorage } from '../../platform/port.js'

const KEY = 'vue-chain:wallet'

/**
 * The last visit's wallet, kept in the platform's storage. Storage failures are ignored: nothing is remembered then.
 */
export interface Remembered {
  /** The wallet's id; null if unknown. */
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

/** The result of `access`; undefined if it throws. */
export function attempt<T>(access: () => T): T | undefined {
  try {
    return access()
  } catch {
    // Storage is full, blocked or not ours: the next visit then starts without what was kept.
    return undefined
  }
}
