import { describe, expect, it } from 'vitest'
import type { RequestEvent, SeenPayment } from '../../../src/streams/requests/record.js'
import { reduceRequest, toState, unknownRequest } from '../../../src/streams/requests/reduce-request.js'

const TERMS = { amount: 1_000n, tolerance: 0n, confirmations: 10, expiresAt: 5_000 }

const output = (id: string, amount = 1_000n, spends = id): SeenPayment => ({
  outpoint: { transactionId: id, index: 0 },
  amount,
  counterparties: [],
  inputs: [{ transactionId: `funds ${spends}`, index: 0 }],
})

const look = (outputs: readonly SeenPayment[], sink = 0n, at = 0): RequestEvent => ({
  type: 'mempool',
  outputs,
  at,
  sink,
})

const chain = (tip: bigint, credited: readonly SeenPayment[] = [], rollback: bigint | null = null): RequestEvent => ({
  type: 'chain',
  tip,
  credits: credited.map((seen) => ({ ...seen, blueScore: tip, depthBefore: 0n, timestamp: null })),
  rollback,
  at: 0,
  isLive: true,
})

/** The state after each event. */
function statesOf(events: readonly RequestEvent[]) {
  let record = unknownRequest(0)
  return events.map((event) => toState(TERMS, (record = reduceRequest(record, event))))
}

const statuses = (events: readonly RequestEvent[]): string[] => statesOf(events).map(({ status }) => status)

const A = output('a')

describe('reduceRequest', () => {
  it.each<{ name: string; events: RequestEvent[]; expected: string[] }>([
    {
      name: 'from the mempool to the last confirmation',
      events: [look([A]), chain(5n, [A]), chain(14n), chain(15n)],
      expected: ['seen', 'paid', 'paid', 'confirmed'],
    },
    {
      name: 'accepted two chain blocks after it has left the mempool',
      events: [look([A], 3n), look([], 4n), chain(5n), look([], 5n), chain(6n, [A])],
      expected: ['seen', 'seen', 'seen', 'seen', 'paid'],
    },
    {
      name: 'dropped by a look after two chain blocks',
      events: [look([A], 3n), look([], 4n), chain(5n), chain(6n), look([], 6n)],
      expected: ['seen', 'seen', 'seen', 'seen', 'waiting'],
    },
    {
      name: 'not dropped while the chain is followed behind the look',
      events: [look([A], 9n), look([], 9n), chain(7n), chain(8n), look([], 9n), chain(9n, [A])],
      expected: ['seen', 'seen', 'seen', 'seen', 'seen', 'paid'],
    },
    {
      name: 'listed again',
      events: [look([A]), look([]), chain(1n), look([A]), chain(2n), chain(3n), look([], 3n)],
      expected: ['seen', 'seen', 'seen', 'seen', 'seen', 'seen', 'seen'],
    },
    {
      name: 'reverted, then neither listed nor accepted',
      events: [chain(5n, [A]), chain(6n, [], 4n), look([], 6n), chain(7n), chain(8n), look([], 8n)],
      expected: ['paid', 'seen', 'seen', 'seen', 'seen', 'waiting'],
    },
    {
      name: 'kept by a reorg above it',
      events: [chain(5n, [A]), chain(7n, [], 5n)],
      expected: ['paid', 'paid'],
    },
    {
      name: 'expired, then seen',
      events: [{ type: 'clock', at: 5_000 }, look([A], 0n, 5_001), chain(1n, [A])],
      expected: ['expired', 'seen', 'paid'],
    },
  ])('follows a payment that is $name', ({ events, expected }) => {
    expect(statuses(events)).toEqual(expected)
  })

  it('reports a reorg that accepts the payment again in the same step as none', () => {
    const [, after] = statesOf([chain(5n, [A]), chain(6n, [A], 4n)])
    expect(after).toMatchObject({ status: 'paid', wasReverted: false })
  })

  it('reports a reorg only after the new branch was followed to its end', () => {
    const behind: RequestEvent = { type: 'chain', tip: 5n, credits: [], rollback: 4n, at: 0, isLive: false }
    const states = statesOf([chain(5n, [A]), behind, look([A]), chain(7n), chain(8n, [A])])
    expect(states.map(({ status, wasReverted }) => [status, wasReverted])).toEqual([
      ['paid', false],
      ['seen', false],
      ['seen', false],
      ['seen', true],
      ['paid', true],
    ])
  })

  it('drops a replaced payment at once', () => {
    const [, after] = statesOf([look([A]), look([output('b', 400n, 'a')])])
    expect(after).toMatchObject({ status: 'seen', pending: 400n })
    expect(after?.payments.map(({ transactionId }) => transactionId)).toEqual(['b'])
  })

  const credit = (timestamp: number | null, at: number): RequestEvent => ({
    type: 'chain',
    tip: 9n,
    credits: [{ ...A, blueScore: 9n, depthBefore: 0n, timestamp }],
    rollback: null,
    at,
    isLive: true,
  })
  const step = (at: number): RequestEvent => ({ type: 'chain', tip: 8n, credits: [], rollback: null, at, isLive: true })

  it.each<{ name: string; events: RequestEvent[]; isLate: boolean }>([
    { name: 'listed by the first look', events: [look([A], 0n, 9_000)], isLate: false },
    { name: 'not listed in time', events: [look([], 0n, 5_001), look([A], 0n, 6_000)], isLate: true },
    {
      name: 'listed by the first look after the expiry',
      events: [look([], 0n, 4_999), look([A], 0n, 9_000), credit(9_000, 9_500)],
      isLate: false,
    },
    { name: 'accepted before it was followed', events: [credit(null, 9_000)], isLate: false },
    { name: 'accepted during an outage, in time', events: [step(1_000), credit(4_000, 9_000)], isLate: false },
    { name: 'accepted during an outage, late', events: [step(1_000), credit(6_000, 9_000)], isLate: true },
    { name: 'accepted late with an early timestamp', events: [step(5_900), credit(4_000, 6_000)], isLate: true },
    { name: 'accepted in time with a late timestamp', events: [step(4_800), credit(99_000, 4_900)], isLate: false },
  ])('has a payment $name late: $isLate', ({ events, isLate }) => {
    expect(statesOf(events).at(-1)?.isLate).toBe(isLate)
  })

  it('is unknown until mempool and chain were read, and stale while one of them cannot be', () => {
    const states = statesOf([
      chain(5n),
      { type: 'interrupted' },
      look([]),
      chain(6n),
      { type: 'interrupted', part: 'mempool' },
      look([]),
      { type: 'chain', tip: 7n, credits: [], rollback: null, at: 0, isLive: false },
    ])
    const expected = ['unknown', 'unknown', 'stale', 'fresh', 'stale', 'fresh', 'stale']
    expect(states.map(({ freshness }) => freshness)).toEqual(expected)
  })

  it('returns the same object for an event without meaning', () => {
    const record = [look([A]), chain(5n, [A]), { type: 'interrupted' } as const].reduce(
      reduceRequest,
      unknownRequest(7),
    )
    const events: RequestEvent[] = [{ type: 'clock', at: 7 }, { type: 'interrupted' }]
    for (const event of events) expect(reduceRequest(record, event)).toBe(record)
  })
})
