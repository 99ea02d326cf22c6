import { Subject, asapScheduler, asyncScheduler, map } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcEvent } from '../../src/model/event.js'
import { createEventLog } from '../../src/streams/event-log.js'
import { marbles } from '../marbles.js'

/** An event whose data is its letter. */
const toEvent = (data: string): RpcEvent => ({ type: 'block-added', data, timestamp: 0 })
const toWord = (events: readonly RpcEvent[]): string => events.map(({ data }) => String(data)).join('')

it(
  'gives a late listener what there is, then one list a frame however many events come',
  marbles((m) => {
    const heard$ = m.hot('(ab)---(cde)|').pipe(map(toEvent))
    const listener = '    -----^       '
    const expected = '    -----0-(1)--|'
    const log = createEventLog(heard$, asyncScheduler)
    m.expect(log.events$.pipe(map(toWord)), listener).toBeObservable(expected, { 0: 'ab', 1: 'abcde' })
  }),
)

function read(log: ReturnType<typeof createEventLog>): string {
  let latest = ''
  log.events$.subscribe((events) => (latest = toWord(events))).unsubscribe()
  return latest
}

it('keeps the newest events only, the oldest of them first', () => {
  const heard$ = new Subject<RpcEvent>()
  const log = createEventLog(heard$, asapScheduler, 3)
  for (const letter of 'abcdefghij') heard$.next(toEvent(letter))
  expect(read(log)).toBe('hij')
})

it('keeps 200 where nobody says otherwise', () => {
  const heard$ = new Subject<RpcEvent>()
  const log = createEventLog(heard$, asapScheduler)
  for (let count = 0; count < 1_000; count++) heard$.next(toEvent('x'))
  expect(read(log)).toHaveLength(200)
})

it('is empty after it was cleared, and fills again', () => {
  const heard$ = new Subject<RpcEvent>()
  const log = createEventLog(heard$, asapScheduler)
  heard$.next(toEvent('a'))
  log.clear()
  expect(read(log)).toBe('')
  heard$.next(toEvent('b'))
  expect(read(log)).toBe('b')
})
