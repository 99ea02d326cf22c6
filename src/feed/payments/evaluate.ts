import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import { isPaymentOf, type PayingTransfer } from '../../streams/requests/found-payments.js'
import type { ChainStep, Followed, MempoolLook, PaymentRecord, RequestRecord } from '../../streams/requests/record.js'
import { reduceRequest, toState } from '../../streams/requests/reduce-request.js'
import type { PaymentRequestState, RequestFreshness } from '../../streams/requests/state.js'
import type { RequestTerms } from '../../streams/requests/terms.js'
import { eventTypeOf, type PaymentEventType } from './payment.js'
import type { StoredRecord } from './record-json.js'

/** How deep, in blue score, a confirmed request is closed: an hour, more than any reorg. */
export const CLOSING_DEPTH = 36_000n

/** A request as one statement reads it, with what its state depends on. */
export interface DueRequest {
  readonly id: string
  readonly terms: RequestTerms
  /** Unix ms. */
  readonly createdAt: number
  readonly record: StoredRecord
  /** The state of the last event. */
  readonly state: PaymentRequestState
  /** The rows of `transfer` that credit its address, above `settled`. */
  readonly credits: readonly CreditRow[]
  /** The blue score up to which the record decides, and not the rows, which may be pruned; null before it is closed. */
  readonly settled: bigint | null
  readonly isClosed: boolean
  /** Sompi. */
  readonly refunded: bigint
}

/** A row of `transfer`. */
export interface CreditRow extends Omit<PayingTransfer, 'direction'> {
  readonly outpoint: Outpoint
  readonly amount: bigint
  readonly blueScore: bigint
  /** The time of the accepting block in Unix ms, as its miner has set it; null for an opening credit. */
  readonly acceptedAt: number | null
  /** When the row was stored, in Unix ms. */
  readonly storedAt: number
  readonly counterparties: readonly string[]
}

/** The position of the feed, and the clock of the database, at the moment of the rows. */
export interface FeedPosition {
  readonly tip: bigint
  readonly isLive: boolean
  /** Unix ms. */
  readonly now: number
  /** When the rows were looked at last while the feed was at the end of the chain, in Unix ms; null before. */
  readonly followedAt: number | null
  readonly freshness: RequestFreshness
}

/** What a look at the mempool has shown of a request. */
export interface RequestLook extends MempoolLook {
  /** The time of the look before, in Unix ms; of the creation at the first one. */
  readonly since: number
}

export interface Evaluation {
  readonly record: StoredRecord
  readonly state: PaymentRequestState
  /** Null where nothing has changed that is an event. */
  readonly type: PaymentEventType | null
  /** When to evaluate next, unless rows change before: the blue score, and Unix ms. */
  readonly nextBlueScore: bigint | null
  readonly nextAt: number | null
  readonly settled: bigint | null
  readonly isClosed: boolean
  /** Since when it may have been paid, in Unix ms; null before. */
  readonly firstSeenAt: number | null
}

/**
 * The next record and state of a request from all of its rows. The rows are not a sequence of steps: a payment whose
 * row is no longer there was reverted, and what is there is accepted, whatever happened in between.
 */
export function evaluate(request: DueRequest, position: FeedPosition, look?: RequestLook): Evaluation {
  const step = toChainStep(request, position)
  const before = followedRecord(request, position, look)
  const followed = step === null ? before : reduceRequest(before, { type: 'chain', ...step })
  const record = look === undefined ? followed : reduceRequest(followed, { type: 'mempool', ...look })
  const state = stateAt(request, record, position)
  const { isClosed, settled } = closing(request, record, state)
  return {
    record: { payments: record.payments, tip: record.tip, wasReverted: record.wasReverted },
    state,
    type: eventTypeOf(request.state, state),
    nextBlueScore: isClosed ? null : nextBlueScore(request.terms, record, state),
    nextAt: state.isExpired || isPaid(state) ? null : request.terms.expiresAt,
    settled,
    isClosed,
    firstSeenAt: firstSeenAt(record, request.createdAt),
  }
}

/** The state of a stored record at another time: depths and expiry are those of the position. */
export const stateAt = (
  { terms, refunded }: Pick<DueRequest, 'terms' | 'refunded'>,
  record: StoredRecord,
  position: FeedPosition,
): PaymentRequestState => ({ ...toState(terms, { ...toRecord(record, position), tip: position.tip }), refunded })

const CHAIN = { unknown: 'unknown', stale: 'behind', fresh: 'current' } as const satisfies Record<
  RequestFreshness,
  Followed['step']
>

/** The freshness is that of the feed: a mempool that cannot be read hides nothing that the chain has. */
const toRecord = (record: StoredRecord, { now, freshness }: FeedPosition): RequestRecord => ({
  ...record,
  now,
  mempool: { step: 'current', at: now },
  chain: { step: CHAIN[freshness], at: now },
})

/**
 * With the times at which mempool and rows were looked at before: what is new came after them. After a time in which
 * nothing was looked at, the time of the accepting block decides, in favour of the payer.
 */
function followedRecord(
  { record, createdAt }: DueRequest,
  position: FeedPosition,
  look: RequestLook | undefined,
): RequestRecord {
  const known = toRecord(record, position)
  return {
    ...known,
    mempool: { ...known.mempool, at: Math.max(createdAt, look?.since ?? createdAt) },
    chain: { ...known.chain, at: Math.max(createdAt, position.followedAt ?? createdAt) },
  }
}

/** Null where the chain is where it was: the reducer counts steps. */
function toChainStep(request: DueRequest, position: FeedPosition): ChainStep | null {
  const { terms, record, settled } = request
  const credits = request.credits.filter((credit) => isPaymentOf(terms, { ...credit, direction: 'credit' }))
  const present = new Map(credits.map((credit) => [toOutpointKey(credit.outpoint), credit.blueScore]))
  const missing = [...record.payments].flatMap(([key, { phase }]) =>
    phase.step === 'accepted' && phase.blueScore > (settled ?? -1n) && !present.has(key) ? [phase.blueScore] : [],
  )
  const isSame =
    missing.length === 0 &&
    position.tip === record.tip &&
    [...present].every(([key, blueScore]) => isAcceptedAt(record.payments.get(key), blueScore))
  if (isSame) return null
  return {
    rollback: missing.length === 0 ? null : missing.reduce((least, score) => (score < least ? score : least)) - 1n,
    credits: credits.map((credit) => ({
      outpoint: credit.outpoint,
      amount: credit.amount,
      counterparties: credit.counterparties,
      inputs: [],
      blueScore: credit.blueScore,
      depthBefore: 0n,
      timestamp: credit.acceptedAt === null ? null : Math.min(credit.acceptedAt, credit.storedAt),
    })),
    tip: position.tip,
    at: position.now,
    isLive: position.isLive,
  }
}

const isAcceptedAt = (payment: PaymentRecord | undefined, blueScore: bigint): boolean =>
  payment?.phase.step === 'accepted' && payment.phase.blueScore === blueScore

const isPaid = ({ status }: PaymentRequestState): boolean => status === 'paid' || status === 'confirmed'

/** The blue score at which a payment reaches the confirmations of its request, or the request is closed. */
function nextBlueScore(
  { confirmations }: RequestTerms,
  { payments, tip }: RequestRecord,
  { status }: PaymentRequestState,
): bigint | null {
  const due = acceptedScores(payments)
    .map((blueScore) => blueScore + BigInt(confirmations))
    .filter((blueScore) => blueScore > tip)
  if (due.length > 0) return due.reduce((least, score) => (score < least ? score : least))
  return status === 'confirmed' ? newestOf(payments) + CLOSING_DEPTH : null
}

/** A confirmed request is closed where all of its payments are deep; a further payment opens it again. */
function closing(
  { settled }: DueRequest,
  { payments, tip }: RequestRecord,
  { status, pending }: PaymentRequestState,
): Pick<Evaluation, 'isClosed' | 'settled'> {
  const isClosed = status === 'confirmed' && pending === 0n && tip - newestOf(payments) >= CLOSING_DEPTH
  return { isClosed, settled: isClosed ? tip - CLOSING_DEPTH : settled }
}

const acceptedScores = (payments: RequestRecord['payments']): readonly bigint[] =>
  [...payments.values()].flatMap(({ phase }) => (phase.step === 'accepted' ? [phase.blueScore] : []))

const newestOf = (payments: RequestRecord['payments']): bigint =>
  acceptedScores(payments).reduce((newest, score) => (score > newest ? score : newest), 0n)

/** An opening credit is as old as its request, at most. */
function firstSeenAt({ payments }: RequestRecord, createdAt: number): number | null {
  const times = [...payments.values()].map(({ seenAfter }) => seenAfter)
  return times.length === 0
    ? null
    : Math.max(
        createdAt,
        times.reduce((first, time) => Math.min(first, time)),
      )
}
