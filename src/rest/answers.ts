import { Subject, type Observable } from 'rxjs'
import type { Entry, RestCache, Store } from './asking/store.js'

/** The answers of a client, or of several: at hand before anything that asks has been loaded. */
export interface Answers extends RestCache {
  /** Forgets what is kept under these keys. */
  readonly remove: (matches: (key: string) => boolean) => void
  /** Hot: emits with every change. */
  readonly changed$: Observable<void>
  /** The store that questions need, made for the first of them; from then on the answers lie there. */
  readonly open: (makeStore: () => Store) => Store
  readonly dispose: () => void
}

/** What answers lie in. */
type Keeper = Pick<Store, 'peek' | 'entries' | 'put' | 'remove' | 'dispose'>

/**
 * Answers that came another way lie in a plain list until the first question: an app that asks nothing at once need not
 * carry what a cache is made of.
 */
export function createAnswers(): Answers {
  const changed$ = new Subject<void>()
  const change = (): void => changed$.next()
  let store: Store | undefined
  let keeper: Keeper = createList(change)

  function open(makeStore: () => Store): Store {
    if (store !== undefined) return store
    store = makeStore()
    store.put(keeper.entries())
    store.listen(change)
    keeper = store
    return store
  }

  return {
    peek: (key) => keeper.peek(key),
    entries: () => keeper.entries(),
    put: (entries) => keeper.put(entries),
    remove(matches) {
      keeper.remove(matches)
      change() // what is being fetched anew is forgotten in silence
    },
    changed$: changed$.asObservable(),
    open,
    dispose: () => keeper.dispose(),
  }
}

function createList(change: () => void): Keeper {
  const list = new Map<string, Entry>()
  return {
    peek: (key) => list.get(key),
    entries: () => [...list.values()],
    put: (entries) => {
      for (const entry of entries) if (entry.at >= (list.get(entry.key)?.at ?? 0)) list.set(entry.key, entry)
      change()
    },
    remove: (matches) => {
      for (const key of list.keys()) if (matches(key)) list.delete(key)
    },
    dispose: () => list.clear(),
  }
}
