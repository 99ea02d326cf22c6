import { ReplaySubject, asyncScheduler, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { polling, toInterval } from '../../src/query/observe.js'
import { marbles } from '../marbles.js'

/** States by letter, and the frame of each poll. */
function pollsOf(states: string, visible: string, until: string, interval = 4) {
  let polls = ''
  marbles((m) => {
    const state$ = m.hot(states, { f: true, s: false }).pipe(
      map((isFetching) => ({
        state: { isFetching },
        interval,
        poll: () => (polls += `${asyncScheduler.now()} `),
      })),
    )
    const visible$ = new ReplaySubject<boolean>(1)
    m.hot(visible, { v: true, h: false }).subscribe(visible$)
    const expected = states.replace(/[|]/g, '-')
    const seen$ = state$.pipe(
      polling({ scheduler: asyncScheduler, visible$ }),
      map(({ state }) => state.isFetching),
    )
    m.expect(seen$, until).toBeObservable(expected.slice(0, until.length), { f: true, s: false })
  })()
  return polls.trim()
}

describe('polling', () => {
  it.each([
    ['polls when the interval after a result has passed', 'f-s--------', 'v----------', '^---------!', '6'],
    ['does not poll during a fetch', 's--f-------', 'v----------', '^---------!', ''],
    ['measures from the latest state', 's-s--------', 'v----------', '^---------!', '6'],
    ['does not poll a hidden page', 's----------', 'h----------', '^---------!', ''],
    ['polls at once on a page visible again after the interval', 's----------', 'h------v---', '^---------!', '7'],
    [
      'waits for the remaining interval on a page visible before its end',
      's----------',
      'h-v--------',
      '^---------!',
      '4',
    ],
  ])('%s', (_, states, visible, until, polls) => {
    expect(pollsOf(states, visible, until)).toBe(polls)
  })

  it('never polls without an interval', () => {
    expect(pollsOf('s----------', 'v----------', '^---------!', 0)).toBe('')
  })
})

describe('the interval', () => {
  it.each([
    [undefined, 0],
    [false, 0],
    [250, 250],
    [(query: { state: { data: unknown } }) => (query.state.data === 'pending' ? 2_000 : false), 2_000],
  ] as const)('of %s is %s ms', (interval, ms) => {
    expect(toInterval(interval, { state: { data: 'pending' } })).toBe(ms)
  })
})
