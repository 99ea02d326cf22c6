import { MAX_CLAIMS, parseClaim, type Claim } from '../../model/claims/claim.js'
import type { Claims } from '../../model/claims/reduce-claims.js'
import { toPromise, type OpenStores } from '../../platform/indexed-database.js'

/** The stores: a record a transaction, and the last changes of them. */
export const [CLAIMS, CHANGES] = ['claims', 'changes'] as const

/** Changes that are stored: a tab that has read none of the last ones reads all claims. */
const STORED_CHANGES = 64

/** All claims, as a tab has read or written them. */
export interface StoredClaims {
  readonly claims: Claims
  /** Keys of records that are none. */
  readonly damaged: readonly IDBValidKey[]
  /** Of the last change that is part of them. */
  readonly number: number
  /** Numbers count within it: one that was deleted begins again. */
  readonly database: IDBDatabase
}

/** What one transaction has changed. */
interface StoredChange {
  readonly added: readonly Claim[]
  /** Keys. */
  readonly removed: readonly IDBValidKey[]
}

/** Reads all. Rejects where there are too many. */
export async function readAll(stores: OpenStores): Promise<StoredClaims> {
  const store = stores(CLAIMS)
  const [rows, numbers] = await Promise.all([
    toPromise<unknown[]>(store.getAll(undefined, MAX_CLAIMS + 1)),
    toPromise(stores(CHANGES).getAllKeys()),
  ])
  if (rows.length > MAX_CLAIMS) throw new DOMException('There are too many claims', 'QuotaExceededError')
  const claims = new Map<string, Claim>()
  const damaged: IDBValidKey[] = []
  for (const row of rows) {
    const claim = parseClaim(row)
    if (claim === undefined) damaged.push((row as { readonly id: IDBValidKey }).id)
    else claims.set(claim.id, claim)
  }
  return { claims, damaged, number: Number(numbers.at(-1) ?? 0), database: store.transaction.db }
}

/**
 * Reads what has changed since; all where changes are missing, or the number of records shows that another script has
 * written them.
 */
export async function readChanged(stores: OpenStores, known: StoredClaims | undefined): Promise<StoredClaims> {
  const store = stores(CLAIMS)
  if (known === undefined || known.database !== store.transaction.db) return readAll(stores)
  const [rows, count] = await Promise.all([
    toPromise<unknown[]>(stores(CHANGES).getAll(IDBKeyRange.lowerBound(known.number, true))),
    toPromise(store.count()),
  ])
  const current = rows.reduce<StoredClaims | undefined>(withChange, known)
  return current?.claims.size === count ? current : readAll(stores)
}

function withChange(stored: StoredClaims | undefined, row: unknown): StoredClaims | undefined {
  if (stored === undefined) return undefined
  const { number, added, removed } = row as Readonly<Record<string, unknown>>
  if (number !== stored.number + 1 || !Array.isArray(added) || !Array.isArray(removed)) return undefined
  const claims = new Map(stored.claims)
  for (const id of removed) claims.delete(String(id))
  for (const each of added) {
    const claim = parseClaim(each)
    if (claim === undefined) return undefined
    claims.set(claim.id, claim)
  }
  return { ...stored, claims, number }
}

/** What has to be written. */
export function changeOf({ claims, damaged }: StoredClaims, after: Claims): StoredChange {
  return {
    added: [...after.values()].filter((claim) => claims.get(claim.id) !== claim),
    removed: [...damaged, ...[...claims.keys()].filter((id) => !after.has(id))],
  }
}

/** Writes a change after the given one; the number of the last change. The transaction has the results. */
export function writeChange(stores: OpenStores, last: number, change: StoredChange): number {
  if (change.added.length + change.removed.length === 0) return last
  const number = last + 1
  if (!Number.isSafeInteger(number)) throw new DOMException('The changes are damaged', 'DataError')
  const [claims, changes] = [stores(CLAIMS), stores(CHANGES)]
  for (const key of change.removed) claims.delete(key)
  for (const claim of change.added) claims.put(claim)
  changes.put({ number, ...change })
  if (number % STORED_CHANGES === 0) changes.delete(IDBKeyRange.upperBound(number - STORED_CHANGES))
  return number
}
