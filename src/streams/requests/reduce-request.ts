import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import {
  type AcceptedPayment,
  type ChainStep,
  type Followed,
  type MempoolLook,
  type PaymentRecord,
  type RequestEvent,
  type RequestRecord,
  reducePayment,
} from './record.js'
import {
  type KnownPayment,
  type PaymentRequestState,
  type RequestFreshness,
  type StateTerms,
  stateOf,
} from './state.js'

const UNKNOWN: Followed = { step: 'unknown', at: 0 }

/** The record of a request that nothing is known of. */
export const unknownRequest = (now: number): RequestRecord => ({
  payments: new Map(),
  tip: 0n,
  now,
  wasReverted: false,
  mempool: UNKNOWN,
  chain: UNKNOWN,
})

/** The state of a request: that of a fresh computation from what its record counts. */
export const toState = (terms: StateTerms, record: RequestRecord): PaymentRequestState =>
  stateOf(terms, [...record.payments.values()].flatMap(toKnown), { ...record, freshness: freshnessOf(record) })

/** Everything counts that was not dropped, so that a payer is not charged twice. */
function toKnown({ phase, ...payment }: PaymentRecord): KnownPayment | readonly [] {
  if (phase.step === 'dropped') return []
  return { ...payment, acceptance: phase.step === 'accepted' ? phase : null }
}

function freshnessOf({ mempool, chain }: RequestRecord): RequestFreshness {
  if (mempool.step === 'unknown' || chain.step === 'unknown') return 'unknown'
  return mempool.step === 'current' && chain.step === 'current' ? 'fresh' : 'stale'
}

/** The next record; the same object where nothing changes. */
export function reduceRequest(record: RequestRecord, event: RequestEvent): RequestRecord {
  switch (event.type) {
    case 'mempool':
      return { ...applyLook(record, event), mempool: { step: 'current', at: event.at } }
    case 'chain':
      return { ...applyStep(record, event), chain: { step: event.isLive ? 'current' : 'behind', at: event.at } }
    case 'clock':
      return event.at <= record.now ? record : { ...record, now: event.at }
    case 'interrupted':
      return interrupt(record, event.part)
  }
}

function interrupt(record: RequestRecord, part: 'mempool' | 'chain' | undefined): RequestRecord {
  const mempool = part === 'chain' ? record.mempool : behind(record.mempool)
  const chain = part === 'mempool' ? record.chain : behind(record.chain)
  return mempool === record.mempool && chain === record.chain ? record : { ...record, mempool, chain }
}

const behind = (followed: Followed): Followed =>
  followed.step === 'current' ? { ...followed, step: 'behind' } : followed

/** What is no longer listed has left the mempool; what spends the same as a listed transaction was replaced. */
function applyLook(record: RequestRecord, { outputs, at, sink }: MempoolLook): RequestRecord {
  const listed = new Map(outputs.map((output) => [toOutpointKey(output.outpoint), output]))
  const spent = new Set(outputs.flatMap(({ inputs }) => inputs.map(toOutpointKey)))
  const next: Payments = new Map()
  for (const [key, payment] of record.payments) {
    const isReplaced = payment.inputs.some((input) => spent.has(toOutpointKey(input)))
    const absent = isReplaced ? ({ type: 'replaced' } as const) : ({ type: 'absent', sink } as const)
    next.set(key, reducePayment(payment, listed.has(key) ? { type: 'listed' } : absent))
  }
  for (const [key, output] of listed) {
    // it came after the look before
    if (!next.has(key)) next.set(key, { ...output, seenAfter: record.mempool.at, phase: { step: 'listed' } })
  }
  return { ...record, payments: pruned(next), now: Math.max(record.now, at) }
}

/** A payment is reverted where the new branch was followed to its end and does not accept it. */
function applyStep(record: RequestRecord, { rollback, credits, tip, at, isLive }: ChainStep): RequestRecord {
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
  for (const [key, credit] of credited) {
    const seenAfter = firstSeenAfter(credit, { from: record.chain.at, to: at })
    if (!payments.has(key)) payments.set(key, toPaymentRecord(credit, seenAfter))
  }
  return { ...record, payments: pruned(payments), tip, wasReverted, now: Math.max(record.now, at) }
}

/** The miner sets the timestamp: it decides only within the time in which nothing was followed. */
const firstSeenAfter = ({ timestamp }: AcceptedPayment, { from, to }: { from: number; to: number }): number =>
  timestamp === null ? 0 : Math.min(Math.max(timestamp, from), to)

const toPaymentRecord = (credit: AcceptedPayment, seenAfter: number): PaymentRecord => {
  const { outpoint, amount, counterparties, inputs, blueScore, depthBefore } = credit
  const phase = { step: 'accepted', blueScore, depthBefore } as const
  return { outpoint, amount, counterparties, inputs, seenAfter, phase }
}

type Payments = Map<OutpointKey, PaymentRecord>

/** Dropped payments that are remembered, at most: anybody may send to an address, and replace what was sent. */
const MAX_DROPPED = 1_000

function pruned(payments: Payments): Payments {
  const dropped = [...payments].filter(([, { phase }]) => phase.step === 'dropped')
  for (const [key] of dropped.slice(0, Math.max(0, dropped.length - MAX_DROPPED))) payments.delete(key)
  return payments
}
