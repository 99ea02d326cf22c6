import { Observable, fromEvent, map, merge } from 'rxjs'
import { canShare } from './can-share.js'
import type { PlatformTabs } from './port.js'

/** What this page shares with the other tabs of its origin; null without IndexedDB or Web Locks, as on a server. */
export function createBrowserTabs(): PlatformTabs | null {
  if (!canShare()) return null
  const { navigator, indexedDB } = globalThis
  return {
    databases: indexedDB,
    locks: navigator.locks,
    notified$: (name) =>
      new Observable((subscriber) => {
        const channel = new BroadcastChannel(name)
        channel.onmessage = () => subscriber.next()
        return () => channel.close()
      }),
    notify(name) {
      const channel = new BroadcastChannel(name) // one of its own: a channel does not receive what it posts
      channel.postMessage(null)
      channel.close()
    },
    // `freeze` is an event of the document and does not bubble
    suspended$: merge(fromEvent(globalThis, 'freeze', { capture: true }), fromEvent(globalThis, 'pagehide')).pipe(
      map(() => undefined),
    ),
    async persist() {
      await (navigator.storage as Partial<StorageManager> | undefined)?.persist?.().catch(() => false) // a request only
    },
  }
}

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
