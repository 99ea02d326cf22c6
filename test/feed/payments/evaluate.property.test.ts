import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evaluate, type CreditRow, type DueRequest, type FeedPosition } from '../../../src/feed/payments/evaluate.js'
import { EMPTY_RECORD, parseRecord, toRecordJson } from '../../../src/feed/payments/record-json.js'
import { parseState, toStateJson } from '../../../src/feed/payments/payment.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import type { RequestTerms } from '../../../src/streams/requests/terms.js'
import { reduceRequest, toState, unknownRequest } from '../../../src/streams/requests/reduce-request.js'
import type { RequestEvent, RequestRecord } from '../../../src/streams/requests/record.js'
import { stateOf } from '../../../src/streams/requests/state.js'
import { runs } from '../../full.js'
import { eventsOf, steps } from '../../streams/requests/request-history.js'

const TERMS: RequestTerms = {
  network: 'simnet',
  address: 'kaspasim:order',
  amount: 650n,
  tolerance: 0n,
  confirmations: 4,
  createdAt: 0n,
  expiresAt: 6_000,
}

const NEW: DueRequest = {
  id: 'order',
  terms: TERMS,
  createdAt: 0,
  record: EMPTY_RECORD,
  state: stateOf(TERMS, [], { tip: 0n, now: 0, wasReverted: false, freshness: 'fresh' }),
  credits: [],
  settled: null,
  isClosed: false,
  refunded: 0n,
}

/** The rows of `transfer` after a step of the chain. */
function rowsAfter(rows: readonly CreditRow[], event: RequestEvent & { readonly type: 'chain' }): readonly CreditRow[] {
  const { rollback } = event
  const kept = rows.filter(({ blueScore }) => rollback === null || blueScore <= rollback)
  const added = event.credits.map((credit): CreditRow => ({
    address: TERMS.address,
    outpoint: credit.outpoint,
    amount: credit.amount,
    blueScore: credit.blueScore,
    counterparties: credit.counterparties,
    acceptingDaaScore: credit.blueScore,
    acceptedAt: credit.timestamp,
    storedAt: event.at,
    isCoinbase: false,
    isOpening: false,
    isChange: false,
    isInternal: false,
  }))
  return [...kept, ...added]
}

/** What the database keeps of a request. */
const stored = <T extends Pick<DueRequest, 'record' | 'state'>>(request: T): T => ({
  ...request,
  record: parseRecord(JSON.stringify(toRecordJson(request.record))),
  state: parseState(JSON.parse(JSON.stringify(toStateJson(request.state))) as ReturnType<typeof toStateJson>),
})

it('evaluates rows to the state of the reducer over each step and look, whichever steps it has skipped', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.boolean(), { minLength: 1 }), (history, isEvaluated) => {
      const events = eventsOf(history)
      let expected: RequestRecord = unknownRequest(0)
      let request = NEW
      let rows: readonly CreditRow[] = []
      let position: FeedPosition = { tip: 0n, isLive: true, now: 0, followedAt: null, freshness: 'fresh' }
      let lookedAt = 0
      let isBehind = false // steps that no evaluation has seen
      for (const [at, event] of events.entries()) {
        expected = reduceRequest(expected, event)
        if (event.type !== 'interrupted') position = { ...position, now: Math.max(position.now, event.at) }
        if (event.type === 'chain') {
          rows = rowsAfter(rows, event)
          position = { ...position, tip: event.tip, isLive: event.isLive }
        }
        const isSkipped = event.type === 'chain' && isEvaluated[at % isEvaluated.length] === false
        if (isSkipped) {
          isBehind = true
          continue
        }
        const evaluation = evaluate(
          stored({ ...request, credits: rows }),
          position,
          event.type === 'mempool' ? { ...event, since: lookedAt } : undefined,
        )
        if (event.type === 'mempool') lookedAt = event.at
        if (event.type === 'chain') position = { ...position, followedAt: event.at }
        const before = request.state
        request = { ...request, record: evaluation.record, state: evaluation.type === null ? before : evaluation.state }
        const { received, confirmed } = evaluation.state
        const fresh = toState(TERMS, { ...expected, now: position.now })
        // what the chain alone decides is always that of all steps
        expect({ received, confirmed }).toEqual({ received: fresh.received, confirmed: fresh.confirmed })
        if (!isBehind) expect(evaluation.state).toEqual({ ...fresh, freshness: evaluation.state.freshness })
        if (evaluation.type === null) expect(evaluation.state.status).toBe(before.status)
      }
    }),
    { numRuns: runs(300) },
  )
})

it('keeps the payments of a closed request whose rows are pruned, and opens it again for a further one', () => {
  const row = (index: number, blueScore: bigint): CreditRow => ({
    address: TERMS.address,
    outpoint: { transactionId: 'aa'.repeat(32), index },
    amount: 650n,
    blueScore,
    counterparties: [],
    acceptingDaaScore: blueScore,
    acceptedAt: 1_500,
    storedAt: 1_500,
    isCoinbase: false,
    isOpening: false,
    isChange: false,
    isInternal: false,
  })
  const position = (tip: bigint): FeedPosition => ({
    tip,
    isLive: true,
    now: 2_000,
    followedAt: 1_400,
    freshness: 'fresh',
  })
  let request: DueRequest = NEW
  const step = (tip: bigint, credits: readonly CreditRow[]) => {
    const kept = credits.filter(({ blueScore }) => blueScore > (request.settled ?? -1n)) // as the statement reads them
    const { record, state, type, settled, isClosed, nextBlueScore } = evaluate(
      { ...request, credits: kept },
      position(tip),
    )
    request = { ...request, record, settled, isClosed, state: type === null ? request.state : state }
    return { type, isClosed, nextBlueScore, received: state.received }
  }
  expect(step(10n, [row(0, 10n)])).toEqual({ type: 'paid', isClosed: false, nextBlueScore: 14n, received: 650n })
  expect(step(14n, [row(0, 10n)])).toEqual({
    type: 'confirmed',
    isClosed: false,
    nextBlueScore: 36_010n,
    received: 650n,
  })
  expect(step(36_010n, [row(0, 10n)])).toEqual({ type: null, isClosed: true, nextBlueScore: null, received: 650n })
  expect(step(40_000n, [])).toEqual({ type: null, isClosed: true, nextBlueScore: null, received: 650n })
  const again = [row(1, 40_001n)]
  expect(step(40_001n, again)).toEqual({ type: 'updated', isClosed: false, nextBlueScore: 40_005n, received: 1_300n })
  expect(step(40_002n, [])).toMatchObject({ type: 'reverted', received: 650n })
  expect(request.record.payments.has(toOutpointKey({ transactionId: 'aa'.repeat(32), index: 0 }))).toBe(true)
})
