import type { Outpoint } from '../../model/utxo.js'
import type { RequestTerms } from './terms.js'

/**
 * How far a request is paid:
 * - `waiting`: nothing seen, and not expired. `expired`: nothing seen in time, or later.
 * - `seen`: in the mempool, or in a block that is not accepted yet.
 * - `partly-paid`: less than the amount is accepted. `paid`: the amount is accepted.
 * - `confirmed`: the amount has the confirmations that the request requires.
 * A reorg takes it back, `confirmed` too where it is deep enough.
 */
export type PaymentRequestStatus = 'waiting' | 'seen' | 'partly-paid' | 'paid' | 'confirmed' | 'expired'

/**
 * How far a state can be trusted. `unknown`: not looked up yet, so that `waiting` and `expired` have no meaning.
 * `fresh`: in step with the node. `stale`: as of an earlier time, because the node cannot be followed.
 */
export type RequestFreshness = 'unknown' | 'fresh' | 'stale'

/** An output that pays a request. */
export interface RequestPayment {
  readonly transactionId: string
  /** The index of the output. */
  readonly index: number
  /** Sompi. */
  readonly amount: bigint
  /** Whether a chain block has accepted it. */
  readonly isAccepted: boolean
  /** Blue score from the accepting block to the sink, counted up to what the request requires. */
  readonly confirmations: number
  /** Whether it was first seen after the request had expired. */
  readonly isLate: boolean
  /** The addresses that paid, where they are known: of an exchange it is a hot wallet. Never refund to them unasked. */
  readonly counterparties: readonly string[]
}

/** A payment request as of now. Amounts are in sompi. */
export interface PaymentRequestState {
  readonly status: PaymentRequestStatus
  /** What is accepted, confirmed or not. */
  readonly received: bigint
  /** What is seen and not accepted yet. */
  readonly pending: bigint
  /** The part of `received` that has the required confirmations. */
  readonly confirmed: bigint
  /** What is left to pay: `pending` is counted, so that a payer is not charged twice. 0n within the tolerance. */
  readonly missing: bigint
  /** What is accepted beyond the amount. */
  readonly excess: bigint
  /** What was paid back. Known to the shop's server; 0n in a page. */
  readonly refunded: bigint
  /** Whether the amount is reached only with what was first seen after the request had expired. */
  readonly isLate: boolean
  readonly isExpired: boolean
  /** Whether a reorg took back what was accepted. Stays true. */
  readonly wasReverted: boolean
  /** In the order in which they were seen. */
  readonly payments: readonly RequestPayment[]
  readonly freshness: RequestFreshness
}

/** What is known of an output that pays a request. */
export interface KnownPayment {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly amount: bigint
  readonly counterparties: readonly string[]
  /** It was first seen after this time, in Unix ms: that of the look before. In favour of the payer. */
  readonly seenAfter: number
  /** Where it was accepted; null while it is pending. */
  readonly acceptance: PaymentAcceptance | null
}

export interface PaymentAcceptance {
  /** The blue score of the accepting block; of an opening credit, of the block after which the address is watched. */
  readonly blueScore: bigint
  /** Confirmations that an opening credit had at that block, at least. 0n for others. */
  readonly depthBefore: bigint
}

/** Everything else that decides the state of a request. */
export interface RequestFacts {
  /** The blue score that the chain was followed to. */
  readonly tip: bigint
  /** Unix ms. */
  readonly now: number
  readonly wasReverted: boolean
  readonly freshness: RequestFreshness
  /** Sompi. @default 0n */
  readonly refunded?: bigint | undefined
}

/** What the state depends on of a request. */
export type StateTerms = Pick<RequestTerms, 'amount' | 'tolerance' | 'confirmations' | 'expiresAt'>

/** The state of a request, computed afresh from all payments that count, in any order. */
export function stateOf(
  terms: StateTerms,
  known: readonly KnownPayment[],
  { refunded = 0n, ...facts }: RequestFacts,
): PaymentRequestState {
  const payments = [...known].sort(inOrder).map((payment) => toPayment(payment, terms, facts.tip))
  const sum = (counts: (payment: RequestPayment) => boolean): bigint =>
    payments.reduce((total, payment) => (counts(payment) ? total + payment.amount : total), 0n)
  const received = sum(({ isAccepted }) => isAccepted)
  const pending = sum(({ isAccepted }) => !isAccepted)
  const confirmed = sum(({ isAccepted, confirmations }) => isAccepted && confirmations >= terms.confirmations)
  const inTime = sum(({ isLate }) => !isLate)
  const due = terms.amount - terms.tolerance
  const isExpired = facts.now >= terms.expiresAt
  return {
    status: statusOf({ received, pending, confirmed, due, isExpired }),
    received,
    pending,
    confirmed,
    missing: received + pending >= due ? 0n : terms.amount - received - pending,
    excess: received > terms.amount ? received - terms.amount : 0n,
    refunded,
    isLate: inTime < due && payments.some(({ isLate }) => isLate),
    isExpired,
    wasReverted: facts.wasReverted,
    payments,
    freshness: facts.freshness,
  }
}

interface Sums extends Pick<PaymentRequestState, 'received' | 'pending' | 'confirmed' | 'isExpired'> {
  readonly due: bigint
}

function statusOf({ received, pending, confirmed, due, isExpired }: Sums): PaymentRequestStatus {
  if (confirmed >= due) return 'confirmed'
  if (received >= due) return 'paid'
  if (received > 0n) return 'partly-paid'
  if (pending > 0n) return 'seen'
  return isExpired ? 'expired' : 'waiting'
}

function toPayment(
  { outpoint, amount, counterparties, seenAfter, acceptance }: KnownPayment,
  { confirmations, expiresAt }: StateTerms,
  tip: bigint,
): RequestPayment {
  return {
    transactionId: outpoint.transactionId,
    index: outpoint.index,
    amount,
    isAccepted: acceptance !== null,
    confirmations: acceptance === null ? 0 : Math.min(depthOf(acceptance, tip), confirmations),
    isLate: seenAfter > expiresAt,
    counterparties,
  }
}

const depthOf = ({ blueScore, depthBefore }: PaymentAcceptance, tip: bigint): number =>
  Number((tip > blueScore ? tip - blueScore : 0n) + depthBefore)

/** By time, then by outpoint: the same order whatever was seen first within one look. */
function inOrder(left: KnownPayment, right: KnownPayment): number {
  if (left.seenAfter !== right.seenAfter) return left.seenAfter - right.seenAfter
  const [a, b] = [left.outpoint, right.outpoint]
  if (a.transactionId !== b.transactionId) return a.transactionId < b.transactionId ? -1 : 1
  return a.index - b.index
}
