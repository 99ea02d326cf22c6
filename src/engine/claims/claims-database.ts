import {
  groupClaims,
  parseRecord,
  toRecord,
  type ClaimRecord,
  MAX_CLAIMS,
  MAX_OUTPOINTS,
  type Claim,
} from '../../model/claims/claim.js'
import { countOutpoints } from '../../model/claims/packed-outpoints.js'
import { type Claims, reduceClaims, type ClaimRequest } from '../../model/claims/reduce-claims.js'
import { toPromise, type OpenStores, IndexedDatabase } from '../../platform/indexed-database.js'
import type { ChainLogger, PlatformTabs } from '../../platform/port.js'

/** The stores: a record of the claims of a plan, and the last changes of records. */
const [CLAIMS, CHANGES] = ['claims', 'changes'] as const

/** Changes that are stored: a tab that has read none of the last ones reads all claims. */
const STORED_CHANGES = 64

/** All claims, as a tab has read or written them. */
interface StoredClaims {
  readonly claims: Claims
  /** The claims of each record, by its key. */
  readonly records: Records
  /** Keys of records that are none. */
  readonly damaged: readonly IDBValidKey[]
  /** Of the last change that is part of them. */
  readonly number: number
  /** Numbers count within it: one that was deleted begins again. */
  readonly database: IDBDatabase
}

type Records = ReadonlyMap<IDBValidKey, readonly Claim[]>

/** What one transaction has changed. */
interface RecordChange {
  readonly added: readonly ClaimRecord[]
  /** Keys. */
  readonly removed: readonly IDBValidKey[]
}

/** Reads all. Rejects where there are too many. */
async function readAll(stores: OpenStores): Promise<StoredClaims> {
  const store = stores(CLAIMS)
  const [rows, numbers] = await Promise.all([
    toPromise<unknown[]>(store.getAll(undefined, MAX_CLAIMS + 1)),
    toPromise(stores(CHANGES).getAllKeys()),
  ])
  const records = new Map<IDBValidKey, readonly Claim[]>()
  const damaged: IDBValidKey[] = []
  for (const row of rows) {
    const key = (row as { readonly id: IDBValidKey }).id
    const claims = parseRecord(row)
    if (claims === undefined) damaged.push(key)
    else records.set(key, claims)
  }
  const claims = claimsOf(records)
  if (rows.length > MAX_CLAIMS || claims.size > MAX_CLAIMS) throw tooMany()
  return { claims, records, damaged, number: Number(numbers.at(-1) ?? 0), database: store.transaction.db }
}

/**
 * Reads what has changed since; all where changes are missing, or the number of records shows that another script has
 * written them.
 */
async function readChanged(stores: OpenStores, known: StoredClaims | undefined): Promise<StoredClaims> {
  const store = stores(CLAIMS)
  if (known?.database !== store.transaction.db) return readAll(stores)
  const [rows, count] = await Promise.all([
    toPromise<unknown[]>(stores(CHANGES).getAll(IDBKeyRange.lowerBound(known.number, true))),
    toPromise(store.count()),
  ])
  if (rows.length === 0 && known.records.size === count) return known
  const records = withChanges(known, rows)
  if (records?.size !== count) return readAll(stores)
  return { ...known, claims: claimsOf(records), records, number: known.number + rows.length }
}

/** Undefined where a change is missing or damaged. */
function withChanges({ records, number }: StoredClaims, rows: readonly unknown[]): Records | undefined {
  const next = new Map(records)
  for (const [at, row] of rows.entries()) {
    const change = row as Readonly<Record<string, unknown>>
    if (change.number !== number + at + 1 || !Array.isArray(change.added) || !Array.isArray(change.removed))
      return undefined
    for (const key of change.removed) next.delete(key as IDBValidKey)
    for (const record of change.added) {
      const claims = parseRecord(record)
      if (claims === undefined) return undefined
      next.set((record as ClaimRecord).id, claims)
    }
  }
  return next
}

const claimsOf = (records: Records): Claims =>
  new Map([...records.values()].flatMap((claims) => claims.map((claim) => [claim.id, claim] as const)))

/** What is stored after a change, and what has to be written. Throws where there are too many. */
function withClaims(
  before: StoredClaims,
  claims: Claims,
): { readonly after: StoredClaims; readonly change: RecordChange } {
  const added = [...claims.values()].filter((claim) => before.claims.get(claim.id) !== claim)
  if (claims.size > MAX_CLAIMS || added.some(({ outpoints }) => countOutpoints(outpoints) > MAX_OUTPOINTS))
    throw tooMany()
  const isLeft = (claim: Claim): boolean => claims.get(claim.id) === claim
  const records = new Map(before.records)
  const touched = [...records].filter(([, group]) => !group.every(isLeft))
  for (const [key] of touched) records.delete(key)
  const left = touched.map(([, group]) => group.filter(isLeft))
  const groups = [...left, added].flatMap(groupClaims).map((group) => [toRecord(group), group] as const)
  for (const [{ id }, group] of groups) records.set(id, group)
  const removed = [...before.damaged, ...touched.flatMap(([key]) => (records.has(key) ? [] : [key]))]
  return {
    after: { ...before, claims, records, damaged: [] },
    change: { added: groups.map(([record]) => record), removed },
  }
}

/** Writes a change after the given one; the number of the last change. The transaction has the results. */
function writeChange(stores: OpenStores, last: number, { added, removed }: RecordChange): number {
  if (added.length + removed.length === 0) return last
  const number = last + Math.max(1, added.length)
  if (!Number.isSafeInteger(number)) throw new DOMException('The changes are damaged', 'DataError')
  const [claims, changes] = [stores(CLAIMS), stores(CHANGES)]
  for (const key of removed) claims.delete(key)
  for (const record of added) claims.put(record)
  changes.put({ number: last + 1, added: added.slice(0, 1), removed })
  for (const [at, record] of added.slice(1).entries())
    changes.put({ number: last + 2 + at, added: [record], removed: [] })
  if (number % STORED_CHANGES < number - last) changes.delete(IDBKeyRange.upperBound(number - STORED_CHANGES))
  return number
}

const tooMany = (): DOMException => new DOMException('There are too many claims', 'QuotaExceededError')

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
