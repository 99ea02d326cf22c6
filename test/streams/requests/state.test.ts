import { describe, expect, it } from 'vitest'
import { type KnownPayment, type RequestFacts, stateOf } from '../../../src/streams/requests/state.js'

const TERMS = { amount: 1_000n, tolerance: 10n, confirmations: 10, expiresAt: 5_000 }
const FACTS: RequestFacts = { tip: 100n, now: 1_000, wasReverted: false, freshness: 'fresh' }

let count = 0
const payment = (amount: bigint, acceptedAt: bigint | null, seenAfter = 0): KnownPayment => ({
  outpoint: { transactionId: String(++count).padStart(64, '0'), index: 0 },
  amount,
  counterparties: [],
  seenAfter,
  acceptance: acceptedAt === null ? null : { blueScore: acceptedAt, depthBefore: 0n },
})

const of = (payments: readonly KnownPayment[], facts: Partial<RequestFacts> = {}) =>
  stateOf(TERMS, payments, { ...FACTS, ...facts })

describe('stateOf', () => {
  it.each([
    { payments: [], status: 'waiting', missing: 1_000n },
    { payments: [payment(1_000n, null)], status: 'seen', missing: 0n },
    { payments: [payment(400n, null)], status: 'seen', missing: 600n },
    { payments: [payment(400n, 95n)], status: 'partly-paid', missing: 600n },
    { payments: [payment(400n, 95n), payment(600n, null)], status: 'partly-paid', missing: 0n },
    { payments: [payment(989n, 95n)], status: 'partly-paid', missing: 11n },
    { payments: [payment(990n, 95n)], status: 'paid', missing: 0n },
    { payments: [payment(1_000n, 91n)], status: 'paid', missing: 0n },
    { payments: [payment(1_000n, 90n)], status: 'confirmed', missing: 0n },
    { payments: [payment(500n, 90n), payment(500n, 95n)], status: 'paid', missing: 0n },
    { payments: [payment(500n, 90n), payment(500n, 80n)], status: 'confirmed', missing: 0n },
  ])('is $status with $missing missing', ({ payments, status, missing }) => {
    expect(of(payments)).toMatchObject({ status, missing })
  })

  it('expires only while nothing is seen', () => {
    expect(of([], { now: 5_000 })).toMatchObject({ status: 'expired', isExpired: true, isLate: false })
    expect(of([payment(1n, null)], { now: 5_000 })).toMatchObject({ status: 'seen', isExpired: true, isLate: false })
  })

  it.each([
    { name: 'first seen in time, accepted after the expiry', payments: [payment(1_000n, 95n, 5_000)], isLate: false },
    { name: 'first seen after the expiry', payments: [payment(1_000n, 95n, 5_001)], isLate: true },
    { name: 'completed late', payments: [payment(400n, 80n, 0), payment(600n, 95n, 6_000)], isLate: true },
    { name: 'complete in time, more later', payments: [payment(995n, 80n, 0), payment(5n, 95n, 6_000)], isLate: false },
  ])('is late: $isLate for a payment $name', ({ payments, isLate }) => {
    expect(of(payments, { now: 9_000 }).isLate).toBe(isLate)
  })

  it('reports what is accepted beyond the amount', () => {
    expect(of([payment(1_000n, 90n), payment(70n, 90n), payment(5n, null)])).toMatchObject({
      status: 'confirmed',
      received: 1_070n,
      confirmed: 1_070n,
      pending: 5n,
      excess: 70n,
    })
  })

  it('counts confirmations of an opening credit that it had before, up to the required ones', () => {
    const opening = { ...payment(1_000n, 98n), acceptance: { blueScore: 98n, depthBefore: 7n } }
    expect(of([opening]).payments[0]?.confirmations).toBe(9)
    expect(of([opening], { tip: 150n }).payments[0]?.confirmations).toBe(10)
  })
})
