import { toPromise, type OpenStores } from '../../platform/indexed-database.js'
import { NEW_WALLET } from '../../streams/payouts/journal-rows.js'
import type { JournalScope, JournalWallet } from '../../streams/payouts/journal.js'
import type { GroupRow, WalletRow } from './indexed-db-rows.js'

/** The row of a key, or the first one of a range. */
export async function get<Row>(
  source: IDBObjectStore | IDBIndex,
  key: IDBValidKey | IDBKeyRange,
): Promise<Row | undefined> {
  return (await toPromise<unknown>(source.get(key))) as Row | undefined // written by this release
}

/** The rows of a range, in the order of its keys. */
export async function getAll<Row>(
  source: IDBObjectStore | IDBIndex,
  keys: IDBKeyRange,
  limit?: number,
): Promise<readonly Row[]> {
  return (await toPromise<unknown[]>(source.getAll(keys, limit))) as Row[] // as above
}

/** The rows at the end of a range, the last one first. */
export const getLast = <Row>(source: IDBIndex, keys: IDBKeyRange, limit: number): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    const rows: Row[] = []
    const request = source.openCursor(keys, 'prev')
    request.onerror = () => reject(request.error ?? new DOMException('The request has failed'))
    request.onsuccess = () => {
      const { result } = request
      if (result === null || rows.push(result.value as Row) >= limit) resolve(rows)
      else result.continue()
    }
  })

/** Keys that begin with these parts, after the last one of a page. */
export const range = (prefix: readonly (string | number)[], after?: number): IDBKeyRange =>
  IDBKeyRange.bound(after === undefined ? prefix : [...prefix, after], [...prefix, []], after !== undefined)

/** Keys that begin with these parts, before the last one of a page. */
export const rangeBefore = (prefix: readonly (string | number)[], before?: number): IDBKeyRange =>
  IDBKeyRange.bound(prefix, [...prefix, before ?? []], false, true)

/** Up to `limit` rows of pages; `next` reads those after a row. */
export async function readPages<Row>(
  next: (after: Row | undefined) => Promise<readonly Row[]>,
  accepts: (row: Row) => boolean,
  limit: number,
): Promise<readonly Row[]> {
  const found: Row[] = []
  let page = await next(undefined)
  while (page.length > 0) {
    found.push(...page.filter(accepts))
    if (found.length >= limit) break
    page = await next(page.at(-1))
  }
  return found.slice(0, limit)
}

/** What is stored for the wallet of a scope. */
export async function readWallet(stores: OpenStores, { network, name }: JournalScope): Promise<JournalWallet> {
  const row = await get<WalletRow>(stores('wallets'), [network, name])
  if (row === undefined) return NEW_WALLET
  const { cursor, isOnHold, debits } = row
  return { cursor, isOnHold, debits }
}

/** The group of an attempt. */
export async function findGroup(
  stores: OpenStores,
  { network }: JournalScope,
  transactionId: string,
): Promise<GroupRow | undefined> {
  const row = await get<GroupRow>(stores('groups').index('transactions'), transactionId)
  return row?.network === network ? row : undefined
}
