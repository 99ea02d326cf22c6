import { textOf, type Query, type SqlRow, quote } from '../../sql/session.js'
import type { ChainNetwork } from '../../model/network.js'
import { type RequestTerms, toStored } from '../../streams/requests/terms.js'
import type { Tables } from '../postgres/transfer-rows.js'
import { type CreditRow, type DueRequest, type FeedPosition, stateAt } from './evaluate.js'
import { type PaymentMetadata, parseState, type PaymentStateJson, type PaymentRequestRecord } from './payment.js'
import { parseRecord } from './record-json.js'
import { toPaymentUri } from '../../model/payment-uri.js'

/** Where the requests of a network are. */
export interface PaymentTables extends Tables {
  readonly network: ChainNetwork
}

/** A request as its row has it. */
export interface RequestRow extends DueRequest {
  /** Changes with each write of the row. */
  readonly revision: string
  readonly version: number
  readonly metadata: PaymentMetadata | null
  /** The numbers of `payment_due` that its evaluation deletes. */
  readonly due: readonly string[]
}

/** Rows of one moment, and the position of the feed then. */
export interface ReadRequests {
  readonly rows: readonly RequestRow[]
  readonly position: FeedPosition
}

/** After how many ms without a new position the rows are old: the feed stores one each second. */
const STALE_AFTER = 10_000

/**
 * The requests whose ids a statement selects, with their rows of `transfer`, refunds and the position, all of one
 * moment. `with` may name further parts; `ids` selects the column `id`.
 */
export async function readRequests(
  query: Query,
  { schema, network }: PaymentTables,
  ids: string,
  values: readonly (string | readonly string[])[] = [],
): Promise<ReadRequests> {
  const s = quote(schema)
  const rows = await query(
    `with place as (
        select ${ms('now()')} as now, c.blue_score, c.is_live, ${ms('c.updated_at')} as updated_at, ${ms('q.followed_at')} as followed_at
        from (select $1::text as network) as n
          left join ${s}.cursor as c on c.network = n.network
          left join ${s}.payment_sequence as q on q.network = n.network
      ), chosen as (${ids})
      select p.*, place.now::text as now, place.blue_score::text as tip, place.is_live::text as is_live,
        place.updated_at::text as updated_at, place.followed_at::text as followed_at
      from place left join (
        select r.id, r.address, r.account_index::text as account_index, r.amount::text as amount, r.tolerance::text as tolerance,
          r.confirmations::text as confirmations, r.label, r.message, r.metadata::text as metadata,
          ${ms('r.created_at')}::text as created_at, r.created_daa_score::text as created_daa_score,
          ${ms('r.expires_at')}::text as expires_at, r.version::text as version, r.revision::text as revision,
          r.state::text as state, r.record::text as record, r.settled_blue_score::text as settled, r.is_closed::text as is_closed,
          (select coalesce(sum(f.amount), 0)::text from ${s}.payment_refund as f
            where f.network = r.network and f.request_id = r.id) as refunded,
          (select coalesce(json_agg(d.sequence::text), '[]')::text from ${s}.payment_due as d
            where d.network = r.network and d.address = r.address) as due,
          (select coalesce(json_agg(json_build_object('id', t.outpoint_transaction_id, 'index', t.outpoint_index,
              'amount', t.amount::text, 'blueScore', t.accepting_blue_score::text, 'daaScore', t.accepting_daa_score::text,
              'acceptedAt', ${ms('t.accepted_at')}, 'storedAt', t.sequence / 1000, 'isCoinbase', t.is_coinbase,
              'isOpening', t.is_opening, 'isChange', t.is_change, 'isInternal', t.is_internal,
              'counterparties', t.counterparties)), '[]')::text
            from ${s}.transfer as t
            where t.network = r.network and t.address = r.address and t.direction = 'credit'
              and t.accepting_blue_score > coalesce(r.settled_blue_score, -1)) as credits
        from ${s}.payment_request as r where r.network = $1 and r.id in (select id from chosen)
      ) as p on true`,
    [network, ...values],
  )
  const [first] = rows
  if (first === undefined) throw new TypeError('The database returned no row')
  return {
    rows: rows.filter(({ id }) => id !== null).map((row) => toRequest(row, network)),
    position: toPosition(first),
  }
}

/** A time as Unix ms. */
export const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`

const optional = (row: SqlRow, column: string): string | undefined =>
  row[column] === null ? undefined : textOf(row, column)

function toPosition(row: SqlRow): FeedPosition {
  const now = Number(textOf(row, 'now'))
  const tip = optional(row, 'tip')
  const isLive = row.is_live === 'true'
  const followedAt = optional(row, 'followed_at')
  const isFresh = isLive && now - Number(optional(row, 'updated_at') ?? 0) < STALE_AFTER
  return {
    now,
    tip: BigInt(tip ?? 0),
    isLive,
    followedAt: followedAt === undefined ? null : Number(followedAt),
    freshness: tip === undefined ? 'unknown' : isFresh ? 'fresh' : 'stale',
  }
}

function toRequest(row: SqlRow, network: ChainNetwork): RequestRow {
  const metadata = optional(row, 'metadata')
  const settled = optional(row, 'settled')
  const address = textOf(row, 'address')
  return {
    id: textOf(row, 'id'),
    terms: toTerms(row, network, address),
    createdAt: Number(textOf(row, 'created_at')),
    record: parseRecord(textOf(row, 'record')),
    state: parseState(JSON.parse(textOf(row, 'state')) as PaymentStateJson), // written by `toStateJson`
    credits: (JSON.parse(textOf(row, 'credits')) as readonly CreditJson[]).map((credit) => toCredit(credit, address)),
    settled: settled === undefined ? null : BigInt(settled),
    isClosed: textOf(row, 'is_closed') === 'true',
    refunded: BigInt(textOf(row, 'refunded')),
    revision: textOf(row, 'revision'),
    version: Number(textOf(row, 'version')),
    metadata: metadata === undefined ? null : (JSON.parse(metadata) as PaymentMetadata), // written by `create`
    due: JSON.parse(textOf(row, 'due')) as readonly string[], // numbers as text
  }
}

function toTerms(row: SqlRow, network: ChainNetwork, address: string): RequestTerms {
  const [index, label, message] = [optional(row, 'account_index'), optional(row, 'label'), optional(row, 'message')]
  return {
    network,
    address,
    ...(index === undefined ? {} : { index: Number(index) }),
    amount: BigInt(textOf(row, 'amount')),
    tolerance: BigInt(textOf(row, 'tolerance')),
    confirmations: Number(textOf(row, 'confirmations')),
    createdAt: BigInt(textOf(row, 'created_daa_score')),
    expiresAt: Number(textOf(row, 'expires_at')),
    ...(label === undefined ? {} : { label }),
    ...(message === undefined ? {} : { message }),
  }
}

/** As the statement builds it. */
interface CreditJson extends Omit<CreditRow, 'outpoint' | 'amount' | 'blueScore' | 'acceptingDaaScore' | 'address'> {
  readonly id: string
  readonly index: number
  readonly amount: string
  readonly blueScore: string
  readonly daaScore: string
}

const toCredit = ({ id, index, amount, blueScore, daaScore, ...credit }: CreditJson, address: string): CreditRow => ({
  ...credit,
  address,
  outpoint: { transactionId: id, index },
  amount: BigInt(amount),
  blueScore: BigInt(blueScore),
  acceptingDaaScore: BigInt(daaScore),
})

/** A request as callers read it, at a position of the feed. */
export function toRequestRecord(row: RequestRow, position: FeedPosition): PaymentRequestRecord {
  const { id, terms, createdAt, metadata, version, isClosed, refunded, record } = row
  const { address, index = null, amount, expiresAt, label, message } = terms
  const state = stateAt(row, record, position)
  return {
    id,
    address,
    index,
    amount,
    createdAt,
    expiresAt,
    metadata,
    uri: toPaymentUri({ address, amount, label, message }),
    stored: toStored(terms),
    version,
    refundable: state.received > refunded ? state.received - refunded : 0n,
    isClosed,
    state,
  }
}
