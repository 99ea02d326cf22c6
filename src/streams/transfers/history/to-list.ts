import type { ChainTransaction } from '../../chain/batch.js'
import type { AddressFilter } from '../extract.js'
import { toEntry, type Acceptance, type TransferEntry, addressesOf, newestFirst, type HistoryRow } from './entry.js'
import type { AddressHistory, Histories } from './reduce-histories.js'

/** What a list shows of the histories. */
export interface ListSettings {
  readonly addresses: ReadonlySet<string>
  /** Whether rows that only the indexer has are shown. */
  readonly indexer: boolean
}

export interface TransferList {
  readonly transfers: readonly TransferEntry[]
  readonly hasMore: boolean
}

/** Converts histories into a list; an entry whose transaction is unchanged stays the same object. */
export function createToList({
  addresses,
  indexer,
}: ListSettings): (histories: Histories, shown: number) => TransferList {
  const filter: AddressFilter = { isWatched: (address) => addresses.has(address), isChange: () => false }
  const converted = new WeakMap<object, TransferEntry | null>()
  const concerns = (row: HistoryRow): boolean => row.addresses.some((address) => addresses.has(address))
  const convert = (key: object, transaction: ChainTransaction, acceptance: Acceptance | null): TransferEntry[] => {
    const known = converted.get(key) ?? toEntry(transaction, acceptance, filter) ?? null
    converted.set(key, known)
    return known === null ? [] : [known]
  }
  return (histories, shown) => {
    const states = [...addresses].flatMap((address) => histories.byAddress.get(address) ?? [])
    const accepted = acceptedRows(histories, concerns, indexer ? completeFrom(states) : null)
    const pending = histories.unconfirmed.filter((transaction) => !accepted.has(transaction.id))
    const transfers = [
      ...pending.flatMap((transaction) => convert(transaction, transaction, null)),
      ...[...accepted.values()].sort(newestFirst).flatMap((row) => convert(row, row.transaction, row.acceptance)),
    ]
    const hasUnread = indexer && states.some(({ before }) => typeof before === 'number')
    return { transfers: transfers.slice(0, shown), hasMore: hasUnread || transfers.length > shown }
  }
}

/** The time from which the pages of all addresses are complete: older rows may still interleave with unread ones. */
const completeFrom = (states: readonly AddressHistory[]): number =>
  states.reduce((latest, { before }) => Math.max(latest, before ?? 0), 0)

/** Rows by id; those of the indexer only from a time on, or with null none. */
function acceptedRows(
  { older, live, byAddress }: Histories,
  concerns: (row: HistoryRow) => boolean,
  from: number | null,
): ReadonlyMap<string, HistoryRow> {
  const accepted = new Map<string, HistoryRow>()
  for (const [id, row] of older) {
    const isListed = from === null ? row.isFollowed : row.acceptance.timestamp >= from
    if (isListed && concerns(row) && !isDecidedByChain(row, byAddress)) accepted.set(id, row)
  }
  for (const [id, row] of live) if (concerns(row)) accepted.set(id, row)
  return accepted
}

/**
 * Above the block after which one of its addresses is followed, the indexer may still list what a reorg has reverted.
 */
const isDecidedByChain = ({ addresses, acceptance }: HistoryRow, byAddress: Histories['byAddress']): boolean =>
  addresses.some((address) => {
    const since = byAddress.get(address)?.since ?? null
    return since !== null && acceptance.blueScore > since
  })

/** The number of accepted rows of an address. */
export const countRows = ({ live, older }: Histories, address: string): number => {
  const ids = new Set<string>()
  for (const [id, { addresses }] of [...older, ...live]) if (addresses.includes(address)) ids.add(id)
  return ids.size
}

/** A row of a transaction that concerns an address of the histories; otherwise undefined. */
export function toRow(
  transaction: ChainTransaction,
  acceptance: Acceptance,
  isWatched: (address: string) => boolean,
): HistoryRow | undefined {
  const addresses = addressesOf(transaction)
  return addresses.some(isWatched) ? { transaction, acceptance, addresses, isFollowed: true } : undefined
}
