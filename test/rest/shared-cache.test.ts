import { describe, expect, it } from 'vitest'
import { createSharedCache } from '../../src/rest/shared-cache.js'
import { createStore, type CacheEntry } from '../../src/rest/requests/store.js'

const entry = (key: string, at: number, value: unknown = key): CacheEntry => ({
  key,
  at,
  kept: { value, fresh: 60_000, limit: Infinity, revalidate: 0 },
})

describe('a shared cache', () => {
  it('holds entries before the first request, the newer of two', () => {
    const cache = createSharedCache()
    cache.put([entry('a', 2, 'new'), entry('b', 1)])
    cache.put([entry('a', 1, 'old')])
    expect([cache.peek('a')?.kept.value, cache.entries().length, cache.peek('c')]).toEqual(['new', 2, undefined])
  })

  it('moves its entries to the store with the first request', () => {
    const cache = createSharedCache()
    cache.put([entry('a', Date.now())])
    const store = cache.openStore(createStore)
    expect(store.get('a', 60_000)?.kept.value).toBe('a')
    expect(cache.openStore(createStore)).toBe(store)
    cache.dispose()
    expect(store.entries()).toEqual([])
  })

  it('emits each change, before and after the store is opened', () => {
    const cache = createSharedCache()
    const sizes: number[] = []
    cache.changed$.subscribe(() => sizes.push(cache.entries().length))
    cache.put([entry('GET /a', 1), entry('GET /b', 1)])
    cache.clear('/a')
    cache.openStore(createStore).put([entry('GET /c', 1)])
    cache.clear('')
    expect([sizes[0], sizes[1], Math.max(...sizes.slice(2)), sizes.at(-1)]).toEqual([2, 1, 2, 0])
    cache.dispose()
  })
})
