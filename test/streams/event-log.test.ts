import { NEVER, Subject, map } from 'rxjs'
import { expect, it } from 'vitest'
import { createEventLog, type EventLog } from '../../src/streams/history.js'
import type { ChainEvent } from '../../src/streams/session/events.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { marbles } from '../marbles.js'

const event = (number: number): ChainEvent => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore: BigInt(number) },
  timestamp: number,
})

/** The numbers of the first and last event of a log, and its length. */
const show = (events: ReturnType<EventLog['items']>): string =>
  events.length === 0 ? 'empty' : `${events[0]?.timestamp}..${events.at(-1)?.timestamp}: ${events.length}`

interface Harness {
  readonly log: EventLog
  /** Emits `count` events at once. */
  readonly burst: (count: number) => void
}

function createHarness(scheduler: Parameters<typeof createTestPlatform>[0]['scheduler']): Harness {
  const received$ = new Subject<ChainEvent>()
  let number = 0
  return {
    log: createEventLog({ received$, ended$: NEVER, platform: createTestPlatform({ scheduler, frame: 2 }) }),
    burst: (count) => Array.from({ length: count }, () => received$.next(event(number++))),
  }
}

it(
  'holds the newest 200 events, oldest first',
  marbles((m) => {
    const { log, burst } = createHarness(m.scheduler)
    m.cold('-1---2---3', { '1': 150, '2': 100, '3': 1 }).subscribe(burst)
    const shown = { e: 'empty', a: '0..149: 150', b: '50..249: 200', c: '51..250: 200' }
    m.expect(log.state$.pipe(map(show)), '^-------------!').toBeObservable('e--a---b---c', shown)
  }),
)

it(
  'updates once per frame: ten thousand events cost one copy of the list',
  marbles((m) => {
    const { log, burst } = createHarness(m.scheduler)
    const lists = new Set<unknown>()
    log.state$.subscribe((events) => lists.add(events))
    m.cold('-1').subscribe(() => burst(10_000))
    m.flush()
    expect(lists.size).toBe(2) // the empty list, and this one
    expect(show(log.items())).toBe('9800..9999: 200')
  }),
)

it(
  'clears at once, including buffered events',
  marbles((m) => {
    const { log, burst } = createHarness(m.scheduler)
    m.cold('-1---2').subscribe(() => burst(3))
    m.cold('------c').subscribe(() => log.clear())
    m.expect(log.state$.pipe(map(show)), '^-------------!').toBeObservable('e--a--e', { e: 'empty', a: '0..2: 3' })
  }),
)
