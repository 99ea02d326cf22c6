import type { PlatformTabs } from './port.js'

/** A Web Lock that this tab has. */
export interface HeldLock {
  readonly release: () => void
  /** Resolves once it is released; rejects where another tab has stolen it. */
  readonly ended: Promise<void>
}

/** Waits for a lock. It ends with the tab. Rejects with the signal's reason, and as `LockManager` does. */
export function holdLock(locks: PlatformTabs['locks'], name: string, signal?: AbortSignal): Promise<HeldLock> {
  return new Promise((resolve, reject) => {
    const ended: Promise<void> = locks
      .request(name, { ...(signal && { signal }) }, () => new Promise<void>((release) => resolve({ release, ended })))
      .then(() => undefined)
    ended.catch(reject)
  })
}

/** The same with the locks of this page or worker. */
export function holdOwnLock(name: string, signal?: AbortSignal): Promise<HeldLock> {
  const { navigator } = globalThis
  return holdLock(navigator.locks, name, signal)
}
