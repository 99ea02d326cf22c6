import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { MAX_EVENTS, batches$, toBatch } from '../../../../../src/adapters/vue/devtools/timeline.js'
import type { FlightRecord } from '../../../../../src/engine/recorder/recorder.js'
import { marbles } from '../../../../marbles.js'

const call = (at: number): FlightRecord => ({
  at,
  type: 'call',
  method: 'getSink',
  ms: 1,
  sent: 1,
  received: 1,
  outcome: 'ok',
})
const notification = (at: number): FlightRecord => ({
  at,
  type: 'notification',
  notification: 'block-added',
  bytes: 1,
  count: 1,
})
const payment = (at: number): FlightRecord => ({ at, type: 'payment', phase: 'started', transactionId: null })

const many = (count: number, create: (at: number) => FlightRecord): FlightRecord[] =>
  Array.from({ length: count }, (_, at) => create(at))

describe('a batch of the timeline', () => {
  it('shows all records up to the limit', () => {
    const records = many(MAX_EVENTS, notification)
    expect(toBatch(records)).toEqual({ shown: records, omitted: {} })
  })

  it('leaves out the newest of the least important layers, in order, and counts them by layer', () => {
    const records = [...many(80, notification), ...many(40, call), payment(1_000)]
    const { shown, omitted } = toBatch(records)
    expect(omitted).toEqual({ notifications: 22 })
    expect(shown).toEqual([...many(58, notification), ...many(40, call), payment(1_000)])
    expect(shown).toHaveLength(MAX_EVENTS - 1) // one event counts the others
  })

  it('counts several layers', () => {
    const { shown, omitted } = toBatch([...many(10, notification), ...many(150, call)])
    expect(shown).toEqual(many(99, call))
    expect(omitted).toEqual({ notifications: 10, calls: 51 })
  })

  it(
    'contains the records of a second since its first one',
    marbles((m) => {
      const records$ = m.hot('a 9ms b 2000ms c', { a: call(0), b: call(1), c: call(2) })
      const sizes$ = batches$(records$, m.scheduler).pipe(map(({ shown }) => String(shown.length)))
      m.expect(sizes$).toBeObservable('1s 2 2010ms 1')
    }),
  )
})
