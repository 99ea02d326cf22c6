import type { ChainTransaction } from '../../chain/batch.js'
import { extractTransaction, type AddressFilter } from '../extract.js'
import type { Transfer, TransferTransaction } from '../transfer.js'

/** A transaction of a wallet's history. */
export interface TransferEntry {
  readonly transactionId: string
  /** `unconfirmed`: in the mempool, as of the last look. `accepted`: by a chain block. */
  readonly status: 'unconfirmed' | 'accepted'
  /** Credits minus debits over all addresses, in sompi. */
  readonly net: bigint
  /** Sompi; null where an input's amount is unknown. */
  readonly fee: bigint | null
  /** Unix milliseconds, of the accepting block; null while unconfirmed. */
  readonly timestamp: number | null
  /** The blue score of the accepting block; null while unconfirmed. Confirmations are the sink's minus this. */
  readonly acceptingBlueScore: bigint | null
  readonly isCoinbase: boolean
  /** Whether an input is one of the addresses'. */
  readonly isInternal: boolean
  /**
   * The distinct addresses of the other side; null where they are not known yet: the payers of an unconfirmed
   * transaction.
   */
  readonly counterparties: readonly string[] | null
}

/** Where and when a transaction was accepted. */
export interface Acceptance {
  readonly blueScore: bigint
  /** Unix milliseconds. */
  readonly timestamp: number
}

/** The entry of a transaction; undefined where it concerns none of the addresses. */
export function toEntry(
  transaction: ChainTransaction,
  acceptance: Acceptance | null,
  filter: AddressFilter,
): TransferEntry | undefined {
  const block = {
    hash: '',
    blueScore: acceptance?.blueScore ?? 0n,
    daaScore: 0n,
    timestamp: acceptance?.timestamp ?? 0,
  }
  const found = extractTransaction(transaction, block, filter)
  if (found === undefined) return undefined
  const entry = fromTransfers(found, acceptance)
  const isUnknown =
    acceptance === null && !entry.isInternal && transaction.inputs.some(({ address }) => address === null)
  return isUnknown ? { ...entry, counterparties: null } : entry
}

function fromTransfers(
  { transactionId, net, fee, transfers }: TransferTransaction,
  acceptance: Acceptance | null,
): TransferEntry {
  return {
    transactionId,
    status: acceptance === null ? 'unconfirmed' : 'accepted',
    net,
    fee,
    timestamp: acceptance?.timestamp ?? null,
    acceptingBlueScore: acceptance?.blueScore ?? null,
    isCoinbase: transfers.some(({ isCoinbase }) => isCoinbase),
    isInternal: transfers.some(({ isInternal }) => isInternal),
    counterparties: distinctCounterparties(transfers),
  }
}

/** Of a payment of one's own the recipients, else the payers. */
function distinctCounterparties(transfers: readonly Transfer[]): readonly string[] {
  const debits = transfers.filter(({ direction }) => direction === 'debit')
  const side = debits.length > 0 ? debits : transfers
  return [...new Set(side.flatMap(({ counterparties }) => counterparties))]
}

/** An accepted transaction of some address. */
export interface HistoryRow {
  readonly transaction: ChainTransaction
  readonly acceptance: Acceptance
  /** All addresses of its inputs and outputs. */
  readonly addresses: readonly string[]
  /** Whether it was read from the chain, not from the indexer. */
  readonly isFollowed: boolean
}

/** Rows by transaction id. */
export type Rows = ReadonlyMap<string, HistoryRow>

export const NO_ROWS: Rows = /*#__PURE__*/ new Map()

/** The distinct addresses of a transaction. */
export const addressesOf = ({ inputs, outputs }: ChainTransaction): readonly string[] => [
  ...new Set([...inputs, ...outputs].flatMap(({ address }) => address ?? [])),
]

export const withRows = (rows: Rows, added: readonly HistoryRow[]): Rows =>
  added.length === 0 ? rows : new Map([...rows, ...added.map((row) => [row.transaction.id, row] as const)])

/** The rows that fulfil a condition; the same object where all do. */
export function rowsWhere(rows: Rows, isKept: (row: HistoryRow) => boolean): Rows {
  const kept = [...rows].filter(([, row]) => isKept(row))
  return kept.length === rows.size ? rows : new Map(kept)
}

/** Newest first. */
export function newestFirst(left: HistoryRow, right: HistoryRow): number {
  const [leftScore, rightScore] = [left.acceptance.blueScore, right.acceptance.blueScore]
  if (leftScore !== rightScore) return leftScore > rightScore ? -1 : 1
  return left.transaction.id < right.transaction.id ? -1 : 1
}
