import { NEVER, Subject, firstValueFrom, of, toArray, take } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import type { ChainRestRequestOptions } from '../../src/rest/options.js'
import { createRestQuery, reduceRestQuery, type RestQueryState } from '../../src/rest/query.js'
import { marbles } from '../marbles.js'
import { turn } from '../turn.js'

type State = RestQueryState<string>
const loading: State = { data: undefined, error: null, isLoading: true }
const idle: State = { data: undefined, error: null, isLoading: false }
const has = (data: string): State => ({ data, error: null, isLoading: false })
const again = (data: string): State => ({ data, error: null, isLoading: true })
const failure = new ChainError('no')

describe('the state of a query', () => {
  it.each<[string, State, Parameters<typeof reduceRestQuery<string>>[1], State]>([
    ['keeps its result during a refetch', has('a'), { type: 'requested' }, again('a')],
    [
      'clears an error with the next result',
      { ...loading, error: failure },
      { type: 'succeeded', data: 'b' },
      has('b'),
    ],
    [
      'keeps its result after an error',
      again('a'),
      { type: 'failed', error: failure },
      { ...has('a'), error: failure },
    ],
  ])('%s', (_, state, event, next) => {
    expect(reduceRestQuery(state, event)).toEqual(next)
  })
})

/** A query function whose calls are recorded and resolved by the test. */
function scriptedQuery() {
  const calls: {
    value: string
    request: ChainRestRequestOptions
    respond: (data: string) => void
    fail: () => void
  }[] = []
  const fetchValue = (value: string, request: ChainRestRequestOptions) =>
    new Promise<string>((resolve, reject) => {
      calls.push({ value, request, respond: resolve, fail: () => reject(failure) })
    })
  return { fetchValue, calls }
}

describe('a query', () => {
  it('fetches each value and aborts the previous one', async () => {
    const { fetchValue, calls } = scriptedQuery()
    const value$ = new Subject<string | null>()
    const states: State[] = []
    const subscription = createRestQuery(value$, fetchValue).state$.subscribe((state) => states.push(state))
    value$.next('a')
    value$.next('b')
    calls[0]?.respond('of a')
    calls[1]?.respond('of b')
    await turn()
    expect(states).toEqual([loading, loading, has('of b')])
    expect(calls.map(({ value, request }) => [value, request.signal?.aborted])).toEqual([
      ['a', true],
      ['b', true],
    ])
    subscription.unsubscribe()
  })

  it('fetches equal values once, and null not at all', async () => {
    const { fetchValue, calls } = scriptedQuery()
    const states: State[] = []
    createRestQuery(of(null, 'a', 'a'), fetchValue).state$.subscribe((state) => states.push(state))
    await turn()
    expect(states).toEqual([idle, loading])
    expect(calls).toHaveLength(1)
  })

  it.each([
    [{ limit: 5, at: { from: 1n, to: 2 } }, { at: { to: 2, from: 1n }, limit: 5 }, 1],
    [{ limit: 5, list: [1, 2] }, { list: [2, 1], limit: 5 }, 2],
  ])('compares %o and %o structurally, whatever the order of fields', async (one, other, count) => {
    const calls: unknown[] = []
    const fetchValue = (value: unknown) => Promise.resolve(calls.push(value))
    createRestQuery<unknown, number>(of(one, other), fetchValue).state$.subscribe()
    await turn()
    expect(calls).toHaveLength(count)
  })

  it('keeps the result and emits the error of a failed refetch', async () => {
    const { fetchValue, calls } = scriptedQuery()
    const query = createRestQuery(of('a'), fetchValue)
    const states = firstValueFrom(query.state$.pipe(take(4), toArray()))
    calls[0]?.respond('of a')
    await turn()
    const refetched = query.refetch()
    expect(calls[1]?.request.forceRefresh).toBe(true)
    calls[1]?.fail()
    await refetched
    expect(await states).toEqual([loading, has('of a'), again('of a'), { ...has('of a'), error: failure }])
  })

  it('resolves a refetch at once without a subscriber', async () => {
    const { fetchValue, calls } = scriptedQuery()
    await createRestQuery(of('a'), fetchValue).refetch()
    expect(calls).toEqual([])
  })

  it('starts with the initial data and fetches only the next value', async () => {
    const { fetchValue, calls } = scriptedQuery()
    const value$ = new Subject<string>()
    const states: State[] = []
    const query = createRestQuery(value$, fetchValue, { initialData: (value) => `known ${value}` })
    query.state$.subscribe((state) => states.push(state))
    value$.next('a')
    expect(states).toEqual([has('known a')])
    expect(calls).toEqual([])
    value$.next('b')
    expect(calls.map(({ value }) => value)).toEqual(['b'])
    await turn()
  })

  it('starts with the initial error and fetches afterwards', () =>
    marbles((m) => {
      const value$ = m.cold(' 1----')
      const until = '         ^---!'
      const expected = '      (fa)-'
      const fetchValue = () => new Promise<string>(() => undefined)
      const query = createRestQuery(value$, fetchValue, { initialError: () => failure })
      const states = { f: { ...idle, error: failure }, a: { ...loading, error: failure } }
      m.expect(query.state$, until).toBeObservable(expected, states)
    }))

  it('refetches at the interval after the last result, while subscribed', async () => {
    vi.useFakeTimers()
    const { fetchValue, calls } = scriptedQuery()
    const subscription = createRestQuery(of('a'), fetchValue, { refetchInterval: 4_000 }).state$.subscribe()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls.map(({ request }) => request.signal?.aborted)).toEqual([false]) // the interval does not abort a slow request
    calls[0]?.respond('of a')
    await vi.advanceTimersByTimeAsync(3_999)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls.map(({ request }) => request.forceRefresh)).toEqual([false, true])
    calls[1]?.fail()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(calls).toHaveLength(3)
    subscription.unsubscribe()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toHaveLength(3)
    vi.useRealTimers()
  })

  it('refetches initial data at the interval', () =>
    marbles((m) => {
      const value$ = m.hot('  a---------')
      const until = '         ---------!'
      const expected = '      k---a-----'
      const fetchValue = () => new Promise<string>(() => undefined)
      const query = createRestQuery(value$, fetchValue, { refetchInterval: 4, initialData: () => 'known' })
      m.expect(query.state$, until).toBeObservable(expected, { k: has('known'), a: again('known') })
    }))

  it('emits a synchronous throw of the query function', () => {
    const fetchValue = (): Promise<string> => {
      throw failure
    }
    const states: State[] = []
    createRestQuery(of('a'), fetchValue).state$.subscribe((state) => states.push(state))
    return vi.waitFor(() => expect(states).toEqual([loading, { ...idle, error: failure }]))
  })

  it('never fetches without a value', () => {
    const { fetchValue, calls } = scriptedQuery()
    createRestQuery(NEVER, fetchValue).state$.subscribe().unsubscribe()
    expect(calls).toEqual([])
  })
})
