import { describe, expect, it } from 'vitest'
import { describeState } from '../../../../src/adapters/vue/requests/receive-payment/describe-state.js'
import { ENGLISH } from '../../../../src/adapters/vue/requests/receive-payment/replacements.js'
import type { PaymentRequestState, RequestPayment } from '../../../../src/streams/requests/state.js'
import { UNKNOWN_REQUEST } from '../../../../src/streams/requests/page-request.js'

const FRESH: PaymentRequestState = { ...UNKNOWN_REQUEST, freshness: 'fresh', missing: 1_000_000_000n }
const PAYMENT: RequestPayment = {
  transactionId: 'aa'.repeat(32),
  index: 0,
  amount: 1_000_000_000n,
  isAccepted: true,
  confirmations: 3,
  isLate: false,
  counterparties: [],
}
const PAID: PaymentRequestState = {
  ...FRESH,
  status: 'paid',
  received: 1_000_000_000n,
  missing: 0n,
  payments: [PAYMENT],
}

const of = (state: PaymentRequestState) => describeState(state, { network: 'mainnet', confirmations: 10 }, ENGLISH)

describe('describeState', () => {
  it.each<[string, PaymentRequestState, object]>([
    ['unknown', UNKNOWN_REQUEST, { text: ENGLISH.lookingUp, isPayable: false, tone: 'unknown', notes: [] }],
    ['waiting', FRESH, { text: ENGLISH.waiting, isPayable: true }],
    ['waiting without a connection', { ...FRESH, freshness: 'stale' }, { isPayable: true, notes: [ENGLISH.stale] }],
    ['seen', { ...FRESH, status: 'seen', missing: 0n }, { text: ENGLISH.seen, isPayable: false }],
    [
      'partly paid',
      { ...FRESH, status: 'partly-paid', received: 400_000_000n, missing: 600_000_000n },
      { text: '4 KAS received, 6 KAS left to pay', isPayable: true },
    ],
    ['paid', PAID, { text: ENGLISH.paid, confirmations: '3 of 10 confirmations', isPayable: false }],
    ['paid late', { ...PAID, isLate: true }, { notes: [ENGLISH.late] }],
    ['overpaid', { ...PAID, excess: 5n }, { notes: ['0.00000005 KAS more than requested'] }],
    ['confirmed', { ...PAID, status: 'confirmed' }, { text: ENGLISH.confirmed, confirmations: null }],
    ['reverted', { ...FRESH, wasReverted: true }, { notes: [ENGLISH.reverted], isPayable: true }],
    ['paid again after a reorg', { ...PAID, wasReverted: true }, { notes: [] }],
    [
      'expired',
      { ...FRESH, status: 'expired', isExpired: true },
      { text: ENGLISH.expired, isPayable: false, notes: [] },
    ],
    [
      'expired without a connection',
      { ...FRESH, status: 'expired', isExpired: true, freshness: 'stale' },
      { text: ENGLISH.lookingUp, isPayable: false, notes: [ENGLISH.expiredStale] },
    ],
  ])('says what a request is that is %s', (_, state, expected) => {
    expect(of(state)).toMatchObject(expected)
  })
})
