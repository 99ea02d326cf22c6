import type {
  KnownPayment,
  PaymentAcceptance,
  PaymentRequestState,
  PaymentRequestStatus,
  RequestFacts,
  RequestPayment,
  StateTerms,
} from './state.js'

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
