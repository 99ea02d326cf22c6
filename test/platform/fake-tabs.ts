import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { Subject, filter, map } from 'rxjs'
import type { PlatformTabs } from '../../src/platform/port.js'
import { createFakeLocks } from './fake-locks.js'

/** An origin, whose tabs share a database and locks. */
export function createFakeOrigin() {
  const databases = new IDBFactory()
  const locks = createFakeLocks()
  const notified$ = new Subject<string>()
  globalThis.IDBKeyRange = IDBKeyRange
  return {
    databases,
    /** Opens a tab. */
    open() {
      const suspended$ = new Subject<void>()
      const held = locks.openTab()
      const tabs: PlatformTabs = {
        databases,
        locks: held.manager,
        notified$: (name) =>
          notified$.pipe(
            filter((each) => each === name),
            map(() => undefined),
          ),
        notify: (name) => notified$.next(name),
        suspended$,
        persist: () => Promise.resolve(),
      }
      return { tabs, suspend: () => suspended$.next(), close: held.close }
    },
  }
}

export type FakeOrigin = ReturnType<typeof createFakeOrigin>
