import { MAX_CLAIMS, MAX_OUTPOINTS, parseClaim, type Claim } from '../../model/claims/claim.js'
import { reduceClaims, type ClaimRequest, type Claims } from '../../model/claims/reduce-claims.js'
import { IndexedDatabase, toPromise, type OpenStores } from '../../platform/indexed-database.js'
import type { ChainLogger, PlatformTabs } from '../../platform/port.js'

const CLAIMS = 'claims'

/** The claims of an origin and a network in IndexedDB, one record a payment. */
export class ClaimsDatabase {
  readonly #database: IndexedDatabase

  constructor(
    databases: PlatformTabs['databases'],
    name: string,
    private readonly logger: Pick<ChainLogger, 'warn'>,
  ) {
    this.#database = new IndexedDatabase(databases, {
      name,
      version: 1,
      durability: 'relaxed', // a loss of power ends all tabs
      create: (database) => database.createObjectStore(CLAIMS, { keyPath: 'id' }),
    })
  }

  /** Rejects with the `DOMException` of the database, and where it has too many records. */
  read(): Promise<Claims> {
    return this.#database.run('readonly', async (stores) => (await readRows(stores)).claims)
  }

  /**
   * The claims after a request, in one transaction that reads all, decides and writes: such transactions run one after
   * the other, over all tabs. Rejects likewise, and where there would be too many, with nothing written.
   */
  async apply(request: ClaimRequest): Promise<Claims> {
    const result = await this.#database.run('readwrite', async (stores) => {
      const { claims, damaged } = await readRows(stores)
      const after = reduceClaims(claims, request)
      const store = stores(CLAIMS)
      const removed = [...claims.keys()].filter((id) => !after.has(id))
      const changed = [...after.values()].filter((claim) => claims.get(claim.id) !== claim)
      if (after.size > MAX_CLAIMS || changed.some(({ outpoints }) => outpoints.length > MAX_OUTPOINTS)) throw tooMany()
      await Promise.all([
        ...[...removed, ...damaged].map(async (key) => toPromise(store.delete(key))),
        ...changed.map(async (claim) => toPromise(store.put(claim))),
      ])
      return { after, damaged: damaged.length }
    })
    if (result.damaged > 0) this.logger.warn('Damaged claims were deleted', { count: result.damaged })
    return result.after
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

async function readRows(stores: OpenStores) {
  const store = stores(CLAIMS)
  const keys = await toPromise(store.getAllKeys(undefined, MAX_CLAIMS + 1))
  if (keys.length > MAX_CLAIMS) throw tooMany()
  const rows = await toPromise<unknown[]>(store.getAll())
  const claims = new Map<string, Claim>()
  const damaged: IDBValidKey[] = []
  for (const [at, key] of keys.entries()) {
    const claim = parseClaim(rows[at])
    if (claim === undefined) damaged.push(key)
    else claims.set(claim.id, claim)
  }
  return { claims, damaged }
}

const tooMany = (): DOMException => new DOMException('There are too many claims', 'QuotaExceededError')
