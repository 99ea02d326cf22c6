import { Subject, type Observable } from 'rxjs'
import type { CacheEntry, RestCache, Store } from './requests/store.js'

/** The response cache of one or several clients; usable before the operations are loaded. */
export interface SharedCache extends RestCache {
  /** Removes the keys whose path, or own key, begins with `prefix`. */
  readonly clear: (prefix: string) => void
  /** Whether the key was cleared before: HTTP caches may still hold its response. */
  readonly isCleared: (key: string) => boolean
  /** Hot: emits with every change. */
  readonly changed$: Observable<void>
  /** The store for requests, created by the first call; the cached entries move to it. */
  readonly openStore: (makeStore: () => Store) => Store
  readonly isDisposed: () => boolean
  readonly dispose: () => void
}

type Backend = Pick<Store, 'peek' | 'entries' | 'put' | 'remove' | 'dispose'>

/**
 * Hydrated entries are kept in a plain map until the first request, so that an app without immediate requests does not
 * load query-core.
 */
export function createSharedCache(): SharedCache {
  const changed$ = new Subject<void>()
  const notify = (): void => changed$.next()
  let store: Store | undefined
  let backend: Backend = createPlainCache(notify)
  let isDisposed = false
  const cleared = createClearedPaths()

  function openStore(makeStore: () => Store): Store {
    if (store !== undefined) return store
    store = makeStore()
    store.put(backend.entries())
    store.subscribe(notify)
    if (isDisposed) store.dispose()
    backend = store
    return store
  }

  return {
    peek: (key) => backend.peek(key),
    entries: () => backend.entries(),
    put(entries) {
      if (!isDisposed) backend.put(entries)
    },
    clear(prefix) {
      cleared.add(prefix)
      backend.remove((key) => pathOf(key).startsWith(prefix))
      notify() // invalidating a fetch in flight emits no query-core event
    },
    changed$: changed$.asObservable(),
    openStore,
    isCleared: (key) => cleared.has(pathOf(key)),
    isDisposed: () => isDisposed,
    dispose() {
      isDisposed = true
      backend.dispose()
    },
  }
}

function createPlainCache(notify: () => void): Backend {
  const cached = new Map<string, CacheEntry>()
  return {
    peek: (key) => cached.get(key),
    entries: () => [...cached.values()],
    put: (entries) => {
      for (const entry of entries) if (entry.at >= (cached.get(entry.key)?.at ?? 0)) cached.set(entry.key, entry)
      notify()
    },
    remove: (matches) => {
      for (const key of cached.keys()) if (matches(key)) cached.delete(key)
    },
    dispose: () => cached.clear(),
  }
}

/** The paths that were cleared from the cache. */
interface ClearedPaths {
  readonly add: (prefix: string) => void
  readonly has: (path: string) => boolean
}

/** Beyond as many prefixes every path counts as cleared. */
const MAX_PREFIXES = 100

/**
 * A path stays cleared: the own cache follows Cache-Control itself, so HTTP caches are not missed while a page lives.
 */
function createClearedPaths(): ClearedPaths {
  let prefixes: readonly string[] = []
  const has = (path: string): boolean => prefixes.some((prefix) => path.startsWith(prefix))
  return {
    has,
    add(prefix) {
      if (has(prefix)) return
      const others = prefixes.filter((other) => !other.startsWith(prefix))
      prefixes = others.length < MAX_PREFIXES ? [...others, prefix] : ['']
    },
  }
}

/** The path of a cache key, which begins with the method; other keys as they are. */
export const pathOf = (key: string): string => key.replace(/^(GET|POST) /, '')

/** Signals of calls that another cache makes. */
const bypassing = /*#__PURE__*/ new WeakSet<AbortSignal>()

/**
 * Marks the signal: calls that take it read no cached response and bypass HTTP caches, as with a `staleTime` of 0; they
 * join a request in flight. A cache above this one, such as that of TanStack Query, decides itself when to fetch.
 */
export function bypassCache(signal: AbortSignal): AbortSignal {
  bypassing.add(signal)
  return signal
}

export const bypassesCache = (signal: AbortSignal | undefined): boolean => signal !== undefined && bypassing.has(signal)
