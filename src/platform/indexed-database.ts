import { Subject } from 'rxjs'
import type { PlatformTabs } from './port.js'

export interface DatabaseSchema {
  readonly name: string
  /** Opening a database of a higher one rejects with a `VersionError`. */
  readonly version: number
  /** Whether a transaction is on the disk when it ends, so that it outlives a loss of power. */
  readonly durability: 'strict' | 'relaxed'
  /** Creates the stores of a new database. */
  readonly create: (database: IDBDatabase) => void
}

/** A database of IndexedDB, which is opened at the first use, and again after the browser has closed it. */
export class IndexedDatabase {
  /** Emits once the browser has closed the database, or another tab needs a newer schema. */
  readonly closed$ = new Subject<void>()
  #opened: Promise<IDBDatabase> | undefined

  constructor(
    private readonly databases: PlatformTabs['databases'],
    private readonly schema: DatabaseSchema,
  ) {}

  /**
   * The result of `work` once its transaction has ended, with every request that `work` has made, awaited or not. Where
   * `work` or a request rejects, nothing is written. Transactions that write run one after the other, over all tabs.
   * Rejects with the `DOMException` of the request that failed.
   */
  async run<T>(mode: 'readonly' | 'readwrite', work: (stores: OpenStores) => Promise<T>): Promise<T> {
    const transaction = await this.#begin(mode)
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new DOMException('Aborted', 'AbortError'))
    })
    ended.catch(() => undefined) // the error of `work` is the cause
    const result = await work((name) => transaction.objectStore(name)).catch((error: unknown) => {
      abort(transaction)
      throw error
    })
    commit(transaction)
    await ended
    return result
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await opened?.then(
      (database) => database.close(),
      () => undefined, // the use that has opened it rejects with the error
    )
  }

  /**
   * Deletes it, where the platform can. The browser closes it in other tabs first: where one is frozen, that happens
   * later. Rejects with the `DOMException` of the request.
   */
  async delete(): Promise<void> {
    await this.close()
    const request = this.databases.deleteDatabase?.(this.schema.name)
    if (request === undefined) return
    const blocked = new Promise<void>((resolve) => (request.onblocked = () => resolve()))
    await Promise.race([toPromise(request), blocked])
  }

  /** Once more where the database was closed meanwhile. */
  async #begin(mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    return this.#tryToBegin(mode).catch((error: unknown) => {
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
      return this.#tryToBegin(mode)
    })
  }

  async #tryToBegin(mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    const opened = (this.#opened ??= this.#open())
    try {
      const database = await opened
      return database.transaction([...database.objectStoreNames], mode, { durability: this.schema.durability })
    } catch (error) {
      this.#forget(opened)
      throw error
    }
  }

  #open(): Promise<IDBDatabase> {
    const request = this.databases.open(this.schema.name, this.schema.version)
    request.onupgradeneeded = () => this.schema.create(request.result)
    const opened = toPromise(request).then((database) => {
      const close = (): void => {
        database.close()
        this.#forget(opened)
        this.closed$.next()
      }
      database.onclose = close
      database.onversionchange = close // else the newer tab waits for this one
      return database
    })
    return opened
  }

  /** The next use opens it again; one that has done so already stays. */
  #forget(opened: Promise<IDBDatabase>): void {
    if (this.#opened === opened) this.#opened = undefined
  }
}

/** The stores of a transaction, by name. */
export type OpenStores = (name: string) => IDBObjectStore

/** The result of a request. */
export const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new DOMException('The request has failed'))
  })

/** Without it, the browser waits until no result of a request is left to be handled. */
function commit(transaction: IDBTransaction): void {
  try {
    transaction.commit()
  } catch {
    // It has ended by itself.
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // The request that failed has ended it.
  }
}
