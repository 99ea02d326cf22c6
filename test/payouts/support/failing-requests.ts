import { IDBIndex, IDBObjectStore } from 'fake-indexeddb'

/** How a request fails: it throws, or the browser aborts its transaction. */
export type RequestFault = 'throws' | 'aborts'

const METHODS = [
  ...['get', 'getAll', 'count', 'add', 'put'].map((name) => ({ prototype: IDBObjectStore.prototype, name })),
  ...['get', 'getAll', 'count'].map((name) => ({ prototype: IDBIndex.prototype, name })),
]

/** Lets the request with this number fail, from 0. `count` is how many there were; `end` restores the database. */
export function failRequest(at: number, fault: RequestFault, error = 'QuotaExceededError') {
  let count = 0
  const restored = METHODS.map(({ prototype, name }) => {
    const methods = prototype as unknown as Record<string, (...given: unknown[]) => unknown>
    const original = methods[name]!
    methods[name] = function (this: IDBObjectStore | IDBIndex, ...given) {
      if (count++ === at) {
        if (fault === 'throws') throw new DOMException('No space', error)
        const store = 'objectStore' in this ? this.objectStore : this
        const request = original.apply(this, given)
        store.transaction.abort()
        return request
      }
      return original.apply(this, given)
    }
    return () => (methods[name] = original)
  })
  return {
    get count() {
      return count
    },
    end: () => restored.forEach((restore) => restore()),
  }
}
