import { NEVER, Subject, firstValueFrom, of, toArray, take } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { ChainRestRequestOptions } from '../../src/rest/options.js'
import { createRestQuery, reduceRestQuery, type RestQueryState } from '../../src/rest/query.js'
import { marbles } from '../marbles.js'
import { turn } from '../turn.js'

type State = RestQueryState<string>
const loading: State = { data: undefined, error: null, isLoading: true }
const idle: State = { data: undefined, error: null, isLoading: false }
const has = (data: string): State => ({ data, error: null, isLoading: false })
const again = (data: string): State => ({ data, error: null, isLoading: true })
const trouble = new Error('no')

describe('the state of a query', () => {
  it.each<[string, State, Parameters<typeof reduceRestQuery<string>>[1], State]>([
    ['keeps its answer while it is fetched anew', has('a'), { type: 'asked' }, again('a')],
    [
      'forgets an error with the next answer',
      { ...loading, error: trouble },
      { type: 'answered', data: 'b' },
      has('b'),
    ],
    [
      'keeps its answer beside an error',
      again('a'),
      { type: 'failed', error: trouble },
      { ...has('a'), error: trouble },
    ],
  ])('%s', (_, state, event, next) => {
    expect(reduceRestQuery(state, event)).toEqual(next)
  })
})

/** Answers that are given by hand, and what was asked. */
function scriptedQuestion() {
  const asked: { value: string; request: ChainRestRequestOptions; answer: (data: string) => void; fail: () => void }[] =
    []
  const ask = (value: string, request: ChainRestRequestOptions) =>
    new Promise<string>((resolve, reject) => {
      asked.push({ value, request, answer: resolve, fail: () => reject(trouble) })
    })
  return { ask, asked }
}

describe('a query', () => {
  it('asks for each value, and gives up the one before', async () => {
    const { ask, asked } = scriptedQuestion()
    const value$ = new Subject<string | null>()
    const states: State[] = []
    const listening = createRestQuery(value$, ask).state$.subscribe((state) => states.push(state))
    value$.next('a')
    value$.next('b')
    asked[0]?.answer('of a')
    asked[1]?.answer('of b')
    await turn()
    expect(states).toEqual([loading, loading, has('of b')])
    expect(asked.map(({ value, request }) => [value, request.signal?.aborted])).toEqual([
      ['a', true],
      ['b', true],
    ])
    listening.unsubscribe()
  })

  it('asks once for values that are equal, and nothing for none', async () => {
    const { ask, asked } = scriptedQuestion()
    const states: State[] = []
    createRestQuery(of(null, 'a', 'a'), ask).state$.subscribe((state) => states.push(state))
    await turn()
    expect(states).toEqual([idle, loading])
    expect(asked).toHaveLength(1)
  })

  it.each([
    [{ limit: 5, at: { from: 1n, to: 2 } }, { at: { to: 2, from: 1n }, limit: 5 }, 1],
    [{ limit: 5, list: [1, 2] }, { list: [2, 1], limit: 5 }, 2],
  ])('takes %o and %o for what they are, whatever the order of fields', async (one, other, count) => {
    const asked: unknown[] = []
    const ask = (value: unknown) => Promise.resolve(asked.push(value))
    createRestQuery<unknown, number>(of(one, other), ask).state$.subscribe()
    await turn()
    expect(asked).toHaveLength(count)
  })

  it('keeps the answer and shows the error where asking anew fails', async () => {
    const { ask, asked } = scriptedQuestion()
    const query = createRestQuery(of('a'), ask)
    const states = firstValueFrom(query.state$.pipe(take(4), toArray()))
    asked[0]?.answer('of a')
    await turn()
    const refetched = query.refetch()
    expect(asked[1]?.request.forceRefresh).toBe(true)
    asked[1]?.fail()
    await refetched
    expect(await states).toEqual([loading, has('of a'), again('of a'), { ...has('of a'), error: trouble }])
  })

  it('resolves a refetch at once where nobody listens', async () => {
    const { ask, asked } = scriptedQuestion()
    await createRestQuery(of('a'), ask).refetch()
    expect(asked).toEqual([])
  })

  it('begins with an answer that is known, and asks for it only when it is told to', async () => {
    const { ask, asked } = scriptedQuestion()
    const value$ = new Subject<string>()
    const states: State[] = []
    const query = createRestQuery(value$, ask, { known: (value) => `known ${value}` })
    query.state$.subscribe((state) => states.push(state))
    value$.next('a')
    expect(states).toEqual([has('known a')])
    expect(asked).toEqual([])
    value$.next('b')
    expect(asked.map(({ value }) => value)).toEqual(['b'])
    await turn()
  })

  it('begins with a failure that is known, and asks again once that has been shown', () =>
    marbles((m) => {
      const value$ = m.cold(' 1----')
      const until = '         ^---!'
      const expected = '      (fa)-'
      const ask = () => new Promise<string>(() => undefined)
      const query = createRestQuery(value$, ask, { failed: () => trouble })
      const states = { f: { ...idle, error: trouble }, a: { ...loading, error: trouble } }
      m.expect(query.state$, until).toBeObservable(expected, states)
    }))

  it('asks anew once the interval has passed since the last answer, for as long as somebody listens', async () => {
    vi.useFakeTimers()
    const { ask, asked } = scriptedQuestion()
    const listening = createRestQuery(of('a'), ask, { refetchInterval: 4_000 }).state$.subscribe()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.map(({ request }) => request.signal?.aborted)).toEqual([false]) // a slow server is given its time
    asked[0]?.answer('of a')
    await vi.advanceTimersByTimeAsync(3_999)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked.map(({ request }) => request.forceRefresh)).toEqual([false, true])
    asked[1]?.fail()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(asked).toHaveLength(3)
    listening.unsubscribe()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(3)
    vi.useRealTimers()
  })

  it('asks anew at the interval what it knew from the beginning', () =>
    marbles((m) => {
      const value$ = m.hot('  a---------')
      const until = '         ---------!'
      const expected = '      k---a-----'
      const ask = () => new Promise<string>(() => undefined)
      const query = createRestQuery(value$, ask, { refetchInterval: 4, known: () => 'known' })
      m.expect(query.state$, until).toBeObservable(expected, { k: has('known'), a: again('known') })
    }))

  it('shows what a question throws before it asks at all', () => {
    const ask = (): Promise<string> => {
      throw trouble
    }
    const states: State[] = []
    createRestQuery(of('a'), ask).state$.subscribe((state) => states.push(state))
    return vi.waitFor(() => expect(states).toEqual([loading, { ...idle, error: trouble }]))
  })

  it('never asks where there is no value', () => {
    const { ask, asked } = scriptedQuestion()
    createRestQuery(NEVER, ask).state$.subscribe().unsubscribe()
    expect(asked).toEqual([])
  })
})
