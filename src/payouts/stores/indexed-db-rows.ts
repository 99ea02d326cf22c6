import { type DatabaseSchema, toPromise, type OpenStores } from '../../platform/indexed-database.js'
import {
  NEW_WALLET,
  type JournalScope,
  type JournalWallet,
  type PayoutGroup,
  type PayoutRecord,
} from '../../streams/payouts/journal.js'

/** The network and the wallet of a row: both begin the keys, so that one database has several. */
interface RowScope {
  readonly network: string
  readonly wallet: string
}

/** The fields beside the record are those of indexes: a bigint is no key. */
export interface PayoutRow extends RowScope {
  readonly id: string
  readonly sequence: number
  readonly state: string
  readonly group: string | null
  readonly record: PayoutRecord
}

export interface GroupRow extends RowScope {
  readonly id: string
  readonly state: string
  /** The ids of its attempts. */
  readonly transactions: readonly string[]
  /** The highest blue score at which the chain has changed it; absent where it has not. */
  readonly top?: number
  /** Present where a replacement was requested. */
  readonly bumped?: 1
  readonly group: Omit<PayoutGroup, 'payouts'>
}

export interface ClaimRow extends RowScope {
  readonly outpoint: string
  readonly group: string
}

export type WalletRow = RowScope & JournalWallet

/** Version 1. A later one needs a higher number, so that this release refuses it. */
export const toSchema = (name: string): DatabaseSchema => ({
  name: `vue-chain/payouts/${name}`,
  version: 1,
  durability: 'strict',
  create(database) {
    const payouts = database.createObjectStore('payouts', { keyPath: ['network', 'id'] })
    payouts.createIndex('sequence', ['network', 'wallet', 'sequence'])
    payouts.createIndex('state', ['network', 'wallet', 'state', 'sequence'])
    payouts.createIndex('group', ['network', 'group'])
    const groups = database.createObjectStore('groups', { keyPath: ['network', 'id'] })
    groups.createIndex('state', ['network', 'wallet', 'state'])
    groups.createIndex('top', ['network', 'wallet', 'top'])
    groups.createIndex('bumped', ['network', 'wallet', 'bumped'])
    groups.createIndex('transactions', 'transactions', { multiEntry: true })
    database.createObjectStore('claims', { keyPath: ['network', 'outpoint'] })
    database.createObjectStore('wallets', { keyPath: ['network', 'wallet'] })
    database.createObjectStore('events', { keyPath: 'number', autoIncrement: true })
  },
})

export const toPayoutRow = (scope: JournalScope, record: PayoutRecord): PayoutRow => ({
  network: scope.network,
  wallet: scope.name,
  id: record.id,
  sequence: Number(record.sequence),
  state: record.progress.state,
  group: record.group,
  record,
})

export function toGroupRow(scope: JournalScope, { payouts: _, ...group }: PayoutGroup): GroupRow {
  const { attempts, conflicts, state, bumpRate } = group
  const scores = [
    ...attempts.flatMap(({ acceptedBlueScore }) => acceptedBlueScore ?? []),
    ...conflicts.map(({ blueScore }) => blueScore),
  ]
  return {
    network: scope.network,
    wallet: scope.name,
    id: group.id,
    state,
    transactions: attempts.map(({ transactionId }) => transactionId),
    ...(scores.length > 0 && { top: Math.max(...scores.map(Number)) }),
    ...(state === 'open' && bumpRate !== null && { bumped: 1 }),
    group,
  }
}

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
