/** The part of the Web Storage API that the fakes use. */
export interface FakeStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** Storage that outlives the page (`site`) or a reload of the tab (`tab`). */
export interface FakeMemory {
  readonly site: FakeStorage
  readonly tab: FakeStorage
}

/** `page`: the page's storage. `none`: in memory. @default 'page' in a browser */
export type MemoryKind = 'page' | 'none'

export const openMemory = (kind: MemoryKind = typeof window === 'undefined' ? 'none' : 'page'): FakeMemory =>
  kind === 'page' ? { site: localStorage, tab: sessionStorage } : { site: createStorage(), tab: createStorage() }

function createStorage(): FakeStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
  }
}
