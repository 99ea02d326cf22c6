import { isJustWritten, isSize, keysToDelete, type StoredSize } from '../../model/last-state/summary.js'
import { IndexedDatabase, toPromise, type OpenStores } from '../../platform/indexed-database.js'
import type { PlatformTabs } from '../../platform/port.js'

/** The stores, all by the key of the set of addresses: records of balances and of UTXOs, and what they occupy. */
const [SUMMARIES, COLUMNS, SIZES] = ['summaries', 'columns', 'sizes'] as const
const STORES = [SUMMARIES, COLUMNS, SIZES]

/** What is written of a set of addresses. */
export interface StateRecords {
  readonly summary: Uint8Array
  /** Null where they are too many. */
  readonly columns: Uint8Array | null
  readonly size: StoredSize
}

/** The name of the database, which is one of its own, so that it can be deleted while claims stay. */
export const toDatabaseName = (name: string, network: string): string => `vue-chain/${name}/${network}/state`

/** The channel that a tab notifies of `forget`. */
export const toForgetChannel = (name: string): string => `vue-chain/${name}/state`

/** The last states of an origin and a network in IndexedDB. Methods reject with the `DOMException` of the database. */
export class StateDatabase {
  readonly #database: IndexedDatabase

  constructor(
    databases: PlatformTabs['databases'],
    name: string,
    private readonly maxAge: number,
  ) {
    this.#database = new IndexedDatabase(databases, {
      name,
      version: 1,
      durability: 'relaxed', // the node has it
      create: (database) => STORES.forEach((store) => database.createObjectStore(store)),
    })
  }

  /** The record of balances, which is not checked yet; undefined where there is none. */
  readSummary(key: string): Promise<unknown> {
    return this.#database.run('readonly', (stores) => toPromise<unknown>(stores(SUMMARIES).get(key)))
  }

  /** The record of UTXOs, likewise. */
  readColumns(key: string): Promise<unknown> {
    return this.#database.run('readonly', (stores) => toPromise<unknown>(stores(COLUMNS).get(key)))
  }

  /** Writes the records of a set, unless another tab has just done so, and deletes what is old or too much. */
  write(key: string, records: StateRecords): Promise<void> {
    return this.#database.run('readwrite', async (stores) => {
      const { size } = records
      const before = await toPromise<unknown>(stores(SIZES).get(key))
      if (isJustWritten(before, size.asOf)) return
      put(stores, key, records, isSize(before) && before.columns === size.columns)
      await deleteOld(stores, { now: size.asOf, maxAge: this.maxAge })
    })
  }

  /** Writes the records of a set at once, without reading: the page may be about to end. */
  writeLast(key: string, records: StateRecords): Promise<void> {
    return this.#database.run('readwrite', (stores) => {
      put(stores, key, records, false)
      return Promise.resolve()
    })
  }

  /** Deletes the records of a set. */
  remove(key: string): Promise<void> {
    return this.#inAll((store) => store.delete(key))
  }

  /** Deletes what is older than `maxAge`, damaged, or of the future. */
  prune(now: number): Promise<void> {
    return this.#database.run('readwrite', (stores) => deleteOld(stores, { now, maxAge: this.maxAge }))
  }

  /** Deletes all records, then the database: a frozen tab delays the second step only. */
  async delete(): Promise<void> {
    await this.#inAll((store) => store.clear())
    await this.#database.delete()
  }

  #inAll(work: (store: IDBObjectStore) => unknown): Promise<void> {
    return this.#database.run('readwrite', (stores) => {
      for (const name of STORES) work(stores(name))
      return Promise.resolve()
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

function put(stores: OpenStores, key: string, records: StateRecords, hasColumns: boolean): void {
  const { summary, columns, size } = records
  stores(SUMMARIES).put(summary, key)
  stores(SIZES).put(size, key)
  if (columns === null) stores(COLUMNS).delete(key)
  else if (!hasColumns) stores(COLUMNS).put(columns, key)
}

/** Also records without a size, which another script has written. */
async function deleteOld(stores: OpenStores, age: { readonly now: number; readonly maxAge: number }): Promise<void> {
  const [sizes, ...keys] = await Promise.all([
    toPromise<unknown[]>(stores(SIZES).getAll()),
    ...STORES.map((store) => toPromise(stores(store).getAllKeys())),
  ])
  const [summaries = [], columns = [], sized = []] = keys
  const known = new Set(sized)
  const old = keysToDelete(
    sized.map((key, at) => [key, sizes[at]] as const),
    age,
  )
  const unknown = [...summaries, ...columns].filter((key) => !known.has(key))
  for (const key of [...old, ...unknown]) for (const store of STORES) stores(store).delete(key)
}
