import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { AcceptedPayment, ChainStep, MempoolLook, PaymentRecord, RequestEvent, RequestRecord } from './record.js'
import { reducePayment } from './reduce-payment.js'
import type { KnownPayment, PaymentRequestState, StateTerms } from './state.js'
import { stateOf } from './state-of.js'

/** The record of a request that nothing is known of. */
export const unknownRequest = (now: number): RequestRecord => ({
  payments: new Map(),
  tip: 0n,
  now,
  wasReverted: false,
  freshness: 'unknown',
})

/** The state of a request: that of a fresh computation from what its record counts. */
export const toState = (terms: StateTerms, { payments, ...facts }: RequestRecord): PaymentRequestState =>
  stateOf(terms, [...payments.values()].flatMap(toKnown), facts)

/** Everything counts that was not dropped, so that a payer is not charged twice. */
function toKnown({ phase, ...payment }: PaymentRecord): KnownPayment | readonly [] {
  if (phase.step === 'dropped') return []
  return { ...payment, acceptance: phase.step === 'accepted' ? phase : null }
}

/** The next record; the same object where nothing changes. */
export function reduceRequest(record: RequestRecord, event: RequestEvent): RequestRecord {
  switch (event.type) {
    case 'mempool':
      return withPayments(record, applyLook(record, event))
    case 'chain':
      return applyStep(record, event)
    case 'clock':
      return event.now === record.now ? record : { ...record, now: event.now }
    case 'freshness':
      return event.freshness === record.freshness ? record : { ...record, freshness: event.freshness }
  }
}

/** What is no longer listed has left the mempool; what spends the same as a listed transaction was replaced. */
function applyLook({ payments }: RequestRecord, { outputs, since, sink }: MempoolLook): Payments {
  const listed = new Map(outputs.map((output) => [toOutpointKey(output.outpoint), output]))
  const spent = new Set(outputs.flatMap(({ inputs }) => inputs.map(toOutpointKey)))
  const next: Payments = new Map()
  for (const [key, payment] of payments) {
    const isReplaced = payment.inputs.some((input) => spent.has(toOutpointKey(input)))
    const absent = isReplaced ? ({ type: 'replaced' } as const) : ({ type: 'absent', sink } as const)
    next.set(key, reducePayment(payment, listed.has(key) ? { type: 'listed' } : absent))
  }
  for (const [key, output] of listed) {
    if (!next.has(key)) next.set(key, { ...output, seenAfter: since, phase: { step: 'listed' } })
  }
  return next
}

/** A payment is reverted where the new branch was followed to its end and does not accept it. */
function applyStep(record: RequestRecord, { rollback, credits, tip, isLive }: ChainStep): RequestRecord {
  const credited = new Map(credits.map((credit) => [toOutpointKey(credit.outpoint), credit]))
  const payments: Payments = new Map()
  let { wasReverted } = record
  for (const [key, payment] of record.payments) {
    const undone = rollback === null ? payment : reducePayment(payment, { type: 'rolled-back', blueScore: rollback })
    const credit = credited.get(key)
    const next = reducePayment(undone, credit === undefined ? { type: 'followed', tip } : { type: 'accepted', credit })
    wasReverted ||= isLive && next.phase.step === 'reverted'
    payments.set(key, isLive ? reducePayment(next, { type: 'decided' }) : next)
  }
  for (const [key, credit] of credited) if (!payments.has(key)) payments.set(key, toPaymentRecord(credit))
  const next = withPayments(record, payments)
  return next.tip === tip && next.wasReverted === wasReverted ? next : { ...next, tip, wasReverted }
}

const toPaymentRecord = ({ blueScore, depthBefore, ...payment }: AcceptedPayment): PaymentRecord => ({
  ...payment,
  phase: { step: 'accepted', blueScore, depthBefore },
})

type Payments = Map<OutpointKey, PaymentRecord>

/** The same record where all payments are the same objects. */
function withPayments(record: RequestRecord, payments: Payments): RequestRecord {
  const isSame =
    payments.size === record.payments.size && [...payments].every(([key, one]) => record.payments.get(key) === one)
  return isSame ? record : { ...record, payments: pruned(payments) }
}

/** Dropped payments that are remembered, at most: anybody may send to an address, and replace what was sent. */
const MAX_DROPPED = 1_000

function pruned(payments: Payments): Payments {
  const dropped = [...payments].filter(([, { phase }]) => phase.step === 'dropped')
  for (const [key] of dropped.slice(0, Math.max(0, dropped.length - MAX_DROPPED))) payments.delete(key)
  return payments
}
