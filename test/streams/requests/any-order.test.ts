import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reduceRequest, toState, unknownRequest } from '../../../src/streams/requests/reduce-request.js'
import { stateOf } from '../../../src/streams/requests/state.js'
import { runs } from '../../full.js'
import { factsOf } from './fresh-facts.js'
import { eventsOf, peacefulSteps, steps } from './request-history.js'

const TERMS = { amount: 1_000n, tolerance: 50n, confirmations: 3, expiresAt: 8_000 }

describe('a request', () => {
  it('has the state of a fresh computation after any order of mempool, acceptance, reorg and clock', () => {
    const property = fc.property(steps, (history) => {
      const events = eventsOf(history)
      let record = unknownRequest(0)
      for (const [at, event] of events.entries()) {
        record = reduceRequest(record, event)
        const { known, facts } = factsOf(events.slice(0, at + 1))
        expect(toState(TERMS, record)).toEqual(stateOf(TERMS, known, facts))
      }
    })
    fc.assert(property, { numRuns: runs(60) })
  })

  it('is never `waiting` or `expired` after a payment was seen, without a reorg', () => {
    const property = fc.property(peacefulSteps, (history) => {
      let record = unknownRequest(0)
      let wasSeen = false
      for (const event of eventsOf(history)) {
        record = reduceRequest(record, event)
        const { status } = toState(TERMS, record)
        if (wasSeen) expect(status).not.toMatch(/waiting|expired/)
        wasSeen ||= status !== 'waiting' && status !== 'expired'
      }
    })
    fc.assert(property, { numRuns: runs(100) })
  })

  it('reaches every status, a reorg and an eviction in these histories', () => {
    const reached = new Set<string>()
    const property = fc.property(steps, (history) => {
      let record = unknownRequest(0)
      for (const event of eventsOf(history)) {
        const { status, wasReverted } = toState(TERMS, (record = reduceRequest(record, event)))
        reached.add(status)
        if (wasReverted) reached.add('reverted')
        if ([...record.payments.values()].some(({ phase }) => phase.step === 'dropped')) reached.add('dropped')
      }
    })
    fc.assert(property, { numRuns: runs(200) })
    expect([...reached].sort()).toEqual([
      'confirmed',
      'dropped',
      'expired',
      'paid',
      'partly-paid',
      'reverted',
      'seen',
      'waiting',
    ])
  })
})
