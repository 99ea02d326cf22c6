import { BehaviorSubject, Subject, firstValueFrom } from 'rxjs'
import type { Platform } from '../../src/platform/port.js'
import type { WorkerPort } from '../../src/wrpc/shared/messages.js'
import { createFakeOrigin } from '../platform/fake-tabs.js'
import type { Recorder } from './recorder.js'

/** What a page shares with other tabs; records what it stores in databases and broadcasts. */
export function createRecordedTabs({ record }: Recorder) {
  const visible$ = new BehaviorSubject(true)
  const stored$ = new Subject<void>()
  const { tabs } = createFakeOrigin().open()
  const platform: Pick<Platform, 'tabs' | 'visible$'> = {
    visible$,
    tabs: {
      ...tabs,
      databases: {
        open(...request) {
          const opened = tabs.databases.open(...request)
          opened.addEventListener('success', () =>
            recordPuts(opened.result, (value) => {
              record('database', value)
              stored$.next()
            }),
          )
          return opened
        },
      },
      notify(name) {
        record('broadcast', name)
        tabs.notify(name)
      },
    },
  }
  return {
    platform,
    /** Hides the page, and waits until it has stored its last state. */
    async hide(): Promise<void> {
      const stored = firstValueFrom(stored$)
      visible$.next(false)
      await stored
    },
  }
}

/** Records every value that is put into a database, bytes as text too. */
function recordPuts(database: IDBDatabase, onPut: (value: unknown) => void): void {
  const transaction = database.transaction.bind(database)
  database.transaction = (...args) => {
    const begun = transaction(...args)
    const objectStore = begun.objectStore.bind(begun)
    begun.objectStore = (name) => {
      const opened = objectStore(name)
      const put = opened.put.bind(opened)
      opened.put = (value: unknown, ...key) => {
        onPut(value)
        if (value instanceof Uint8Array) onPut(new TextDecoder().decode(value))
        return put(value, ...key)
      }
      return opened
    }
    return begun
  }
}

/** A port of the shared worker; records the messages of both sides. */
export const recordPort = (port: WorkerPort, { record }: Recorder): WorkerPort => ({
  post(message) {
    record('port', message)
    port.post(message)
  },
  receive: (handler) =>
    port.receive((data) => {
      record('port', data)
      handler(data)
    }),
  close: () => port.close(),
})
