import { Observable, fromEvent, map, merge } from 'rxjs'
import type { PlatformTabs } from './port.js'

/** What this page shares with the other tabs of its origin; null without IndexedDB or Web Locks, as on a server. */
export function createBrowserTabs(): PlatformTabs | null {
  const { navigator, indexedDB } = globalThis as Partial<typeof globalThis>
  const locks = (navigator as Partial<Navigator> | undefined)?.locks // none where the page is not served over https
  if (navigator === undefined || indexedDB === undefined || locks === undefined) return null
  return {
    databases: indexedDB,
    locks,
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
