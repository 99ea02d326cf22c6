import { reduceClaims, type ClaimRequest, type Claims } from '../../model/claims/reduce-claims.js'
import { IndexedDatabase } from '../../platform/indexed-database.js'
import type { ChainLogger, PlatformTabs } from '../../platform/port.js'
import { CHANGES, CLAIMS, readAll, readChanged, withClaims, writeChange, type StoredClaims } from './stored-claims.js'

/**
 * The claims of an origin and a network in IndexedDB, one record a plan. What this tab has read it has in
 * memory: later transactions read only what has changed since.
 */
export class ClaimsDatabase {
  readonly #database: IndexedDatabase
  #known: StoredClaims | undefined

  constructor(
    databases: PlatformTabs['databases'],
    name: string,
    private readonly logger: Pick<ChainLogger, 'warn'>,
  ) {
    this.#database = new IndexedDatabase(databases, {
      name,
      version: 1,
      durability: 'relaxed', // a loss of power ends all tabs
      create(database) {
        database.createObjectStore(CLAIMS, { keyPath: 'id' })
        database.createObjectStore(CHANGES, { keyPath: 'number' })
      },
    })
  }

  /** As this tab has read or written them last. */
  get known(): Claims {
    return this.#known?.claims ?? new Map()
  }

  /** All claims. Rejects with the `DOMException` of the database, and where it has too many records. */
  async read(): Promise<Claims> {
    return this.#know(await this.#database.run('readonly', readAll))
  }

  /** The same, of which only what has changed is read. */
  async update(): Promise<Claims> {
    return this.#know(await this.#database.run('readonly', (stores) => readChanged(stores, this.#known)))
  }

  /**
   * The claims after some requests, and whether they have changed any, in one transaction that reads, decides and
   * writes: such transactions run one after the other, over all tabs. Rejects likewise, and where there would be too
   * many, with nothing written.
   */
  async apply(requests: readonly ClaimRequest[]): Promise<{ readonly claims: Claims; readonly isChanged: boolean }> {
    const { before, after } = await this.#database.run('readwrite', async (stores) => {
      const before = await readChanged(stores, this.#known)
      const { after, change } = withClaims(before, requests.reduce(reduceClaims, before.claims))
      return { before, after: { ...after, number: writeChange(stores, before.number, change) } }
    })
    if (before.damaged.length > 0) this.logger.warn('Damaged claims were deleted', { count: before.damaged.length })
    return { claims: this.#know(after), isChanged: after.number !== before.number }
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** Transactions of one tab may overlap: one that began earlier changes nothing. */
  #know(stored: StoredClaims): Claims {
    const isEarlier = this.#known?.database === stored.database && this.#known.number > stored.number
    if (!isEarlier) this.#known = stored
    return stored.claims
  }
}
