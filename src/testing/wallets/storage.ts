/** The part of a browser's storage that the fakes use. */
export interface FakeStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** What a fake remembers beyond the page, and beyond a reload of the tab. */
export interface FakeMemory {
  readonly site: FakeStorage
  readonly tab: FakeStorage
}

/** `page`: in the page's own storages. `none`: for as long as the fake lives. @default 'page' where there is a page */
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
