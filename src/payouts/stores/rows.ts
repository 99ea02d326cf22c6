import type { OutpointKey } from '../../model/utxo.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import {
  NEW_WALLET,
  type GroupConflict,
  type JournalWallet,
  type PayoutAttempt,
  type PayoutGroup,
  type PayoutRecord,
} from '../../streams/payouts/journal.js'
import type { PayoutEvent, PayoutProgress, PayoutStateName, WaitingReason } from '../../streams/payouts/progress.js'
import { textOf, type SqlRow, type Bind } from '../../sql/session.js'

/** The columns of a payout, as text where drivers differ. */
export const PAYOUT_COLUMNS = `id, address, amount::text as amount, grp, state, reason, missing::text as missing,
  transaction_id, blue_score::text as blue_score, is_cancelling::text as is_cancelling, version::text as version,
  sequence::text as sequence, (extract(epoch from requested_at) * 1000)::bigint::text as requested_at,
  (extract(epoch from not_before) * 1000)::bigint::text as not_before, wallet`

/**
 * The item of a `from` clause that looks up payouts of a wallet one by one, in the order of their ids, by the primary
 * key. Without statistics, as PGlite has none, PostgreSQL would read all payouts of the network in place of 40: it
 * takes a filter by network alone for a better one. `is not distinct from` keeps the indexes of wallets away.
 */
export const payoutsByKey = (
  { s, network, wallet }: Omit<PartScope, 'bind'>,
  { ids, columns, end }: { readonly ids: string; readonly columns: string; readonly end: 'for update' | 'offset 0' },
): string => `unnest(${ids}::text[]) as key (of) cross join lateral (
    select ${columns} from ${s}.payout
      where network = ${network} and id = key.of and wallet is not distinct from ${wallet} ${end}) as found`

/** One state is a comparison of its own: its rows are read in the order of the index, as many as are wanted. */
export function inStates(states: readonly PayoutStateName[], bind: Bind): string {
  const [only, ...others] = states
  return only !== undefined && others.length === 0 ? `state = ${bind(only)}` : `state = any(${bind(states)}::text[])`
}

export function toPayout(row: SqlRow): PayoutRecord {
  const notBefore = optional(row, 'not_before')
  return {
    id: textOf(row, 'id'),
    address: textOf(row, 'address'),
    amount: BigInt(textOf(row, 'amount')),
    notBefore: notBefore === null ? null : Number(notBefore),
    sequence: BigInt(textOf(row, 'sequence')),
    requestedAt: Number(textOf(row, 'requested_at')),
    version: Number(textOf(row, 'version')),
    group: optional(row, 'grp'),
    progress: toProgress(row),
  }
}

function toProgress(row: SqlRow): PayoutProgress {
  const state = textOf(row, 'state') as PayoutStateName // checked by the table
  const transactionId = optional(row, 'transaction_id')
  const isCancelling = optional(row, 'is_cancelling') === 'true'
  switch (state) {
    case 'queued':
    case 'signed':
    case 'relayed':
    case 'cancelling':
      return { state }
    case 'waiting': {
      const missing = optional(row, 'missing')
      const reason = textOf(row, 'reason') as WaitingReason // written by this release
      return { state, reason, missing: missing === null ? null : BigInt(missing) }
    }
    case 'cancelled':
      return { state, transactionId }
    case 'accepted':
    case 'settled':
    case 'conflicting': {
      const blueScore = BigInt(textOf(row, 'blue_score'))
      return { state, transactionId: textOf(row, 'transaction_id'), blueScore, isCancelling }
    }
  }
}

/** A wallet with a row for each of its debits, or one without. */
export function toWallet(rows: readonly SqlRow[]): JournalWallet {
  const [row] = rows
  const debits = rows.filter((each) => each.transaction_id !== null)
  return {
    cursor: row === undefined ? NEW_WALLET.cursor : optional(row, 'value'),
    isOnHold: row !== undefined && textOf(row, 'is_on_hold') === 'true',
    debits: debits.map((debit) => ({
      transactionId: textOf(debit, 'transaction_id'),
      isAcknowledged: textOf(debit, 'is_acknowledged') === 'true',
      ids: JSON.parse(textOf(debit, 'ids')) as readonly string[], // written by `writeChange`
    })),
  }
}

/** The columns of a progress, as text. */
interface ProgressColumns {
  readonly state: string
  readonly reason: string | null
  readonly missing: string | null
  readonly transactionId: string | null
  readonly blueScore: string | null
  readonly isCancelling: string
}

export const toColumns = (progress: PayoutProgress): ProgressColumns => ({
  state: progress.state,
  reason: 'reason' in progress ? progress.reason : null,
  missing: 'missing' in progress && progress.missing !== null ? String(progress.missing) : null,
  transactionId: 'transactionId' in progress ? progress.transactionId : null,
  blueScore: 'blueScore' in progress ? String(progress.blueScore) : null,
  isCancelling: String('isCancelling' in progress && progress.isCancelling),
})

export const ATTEMPT_COLUMNS = `grp, transaction_id, number::text as number, kind, signed::text as signed, fee::text as fee,
  pays::text as pays, accepted_blue_score::text as accepted_blue_score, accepting_block, outcome, last_response`

export function toAttempt(row: SqlRow): PayoutAttempt {
  const score = optional(row, 'accepted_blue_score')
  return {
    transactionId: textOf(row, 'transaction_id'),
    number: Number(textOf(row, 'number')),
    kind: textOf(row, 'kind') as PayoutAttempt['kind'], // checked by the table
    signed: JSON.parse(textOf(row, 'signed')) as SerializedTransaction, // verified by restore()
    fee: BigInt(textOf(row, 'fee')),
    pays: JSON.parse(textOf(row, 'pays')) as readonly string[], // compared with the outputs of `signed`
    acceptedBlueScore: score === null ? null : BigInt(score),
    acceptingBlock: optional(row, 'accepting_block'),
    outcome: optional(row, 'outcome') as PayoutAttempt['outcome'], // checked by the table
    lastResponse: optional(row, 'last_response'),
  }
}

export const GROUP_COLUMNS = `id, state, version::text as version, bump_rate::text as bump_rate, conflicts::text as conflicts`

export function toGroup(row: SqlRow): Omit<PayoutGroup, 'attempts' | 'payouts'> {
  const rate = optional(row, 'bump_rate')
  return {
    id: textOf(row, 'id'),
    state: textOf(row, 'state') as PayoutGroup['state'], // checked by the table
    version: Number(textOf(row, 'version')),
    bumpRate: rate === null ? null : Number(rate),
    conflicts: parseConflicts(textOf(row, 'conflicts')),
  }
}

interface StoredConflict {
  readonly outpoint: OutpointKey
  readonly transactionId: string
  readonly blueScore: string
}

const parseConflicts = (text: string): readonly GroupConflict[] =>
  // written by `toJson`
  (JSON.parse(text) as readonly StoredConflict[]).map((stored) => ({ ...stored, blueScore: BigInt(stored.blueScore) }))

/** JSON with bigints as decimal text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field))

/** An event of the table: its bigints are decimal text. */
export function parseEvent(text: string): PayoutEvent {
  // written by `toJson`
  const event = JSON.parse(text) as PayoutEvent & { readonly missing?: string | null; readonly blueScore?: string }
  return {
    ...event,
    ...(typeof event.missing === 'string' && { missing: BigInt(event.missing) }),
    ...(event.blueScore !== undefined && { blueScore: BigInt(event.blueScore) }),
  }
}

/** The rows of each group. */
export function byGroup(rows: readonly SqlRow[]): ReadonlyMap<string, readonly SqlRow[]> {
  const groups = new Map<string, SqlRow[]>()
  for (const row of rows) {
    const group = textOf(row, 'grp')
    const known = groups.get(group)
    if (known === undefined) groups.set(group, [row])
    else known.push(row)
  }
  return groups
}

function optional(row: SqlRow, column: string): string | null {
  const value = row[column]
  if (value === null || typeof value === 'string') return value
  throw new TypeError(`The column ${column} is no text`)
}

/** A query of a `with` clause. */
export interface ChangePart {
  readonly name: string
  /** The query in parentheses, after what says how it is run. */
  readonly text: string
  /** How many rows it has to return; undefined where that is not known. */
  readonly rows?: number
}

/** What the parts of a statement refer to. */
export interface PartScope {
  /** The schema, quoted. */
  readonly s: string
  /** The placeholders of network and wallet. */
  readonly network: string
  readonly wallet: string
  readonly bind: Bind
}
