import { BehaviorSubject, type Observable } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { QueryState } from '../../src/query/watched-query.js'
import { FAILURE, openQueries, scriptQuery, toWatched } from './scripted-query.js'

/** The states of a query, and its end. */
function record<State>(state$: Observable<State>) {
  const states: State[] = []
  const subscription = state$.subscribe((state) => states.push(state))
  onTestFinished(() => subscription.unsubscribe())
  return { states, last: () => states.at(-1), stop: () => subscription.unsubscribe(), subscription }
}

const fetching = { status: 'pending', data: undefined, error: null, isFetching: true, dataUpdatedAt: 0 }
const withData = (data: string) => ({ status: 'success', data, error: null, isFetching: false })

describe('a query', () => {
  it('emits its state at once, fetches while subscribed, and passes key and signal', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch } = openQueries()
    const { states, last } = record(watch(toWatched({ queryKey: ['a', 1n], queryFn })).state$)
    expect(states).toMatchObject([fetching])
    await expect.poll(() => calls.length).toBe(1)
    expect(calls[0]).toMatchObject({ queryKey: ['a', 1n], isRepeated: false })
    const before = Date.now()
    calls[0]?.respond('result')
    await expect.poll(last).toMatchObject(withData('result'))
    expect(last()?.dataUpdatedAt).toBeGreaterThanOrEqual(before)
    expect(calls[0]?.signal.aborted).toBe(false)
  })

  it('shares result and request of equal keys, and drops the result with the last subscriber', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch } = openQueries()
    const query = () => record(watch(toWatched({ queryKey: ['a'], queryFn })).state$)
    const [one, other] = [query(), query()]
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.respond('result')
    await expect.poll(other.last).toMatchObject(withData('result'))
    const late = query()
    await expect.poll(late.last).toMatchObject(withData('result'))
    for (const { stop } of [one, other, late]) stop()
    const next = query()
    expect(next.last()).toMatchObject(fetching)
    await expect.poll(() => calls.length).toBe(2)
    next.stop()
  })

  it('aborts with its last subscriber, and when the key changes', async () => {
    const { calls, queryFn } = scriptQuery()
    const { queries } = openQueries()
    const query$ = new BehaviorSubject(toWatched({ queryKey: ['a'], queryFn }))
    const { last, stop } = record(queries.watch(query$).state$)
    await expect.poll(() => calls.length).toBe(1)
    query$.next(toWatched({ queryKey: ['b'], queryFn }))
    await expect.poll(() => calls.length).toBe(2)
    calls[0]?.respond('of a')
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
    calls[1]?.respond('of b')
    await expect.poll(last).toMatchObject(withData('of b'))
    query$.next(toWatched({ queryKey: ['c'], queryFn }))
    expect(last()).toMatchObject(fetching) // the result of another key is not shown
    await expect.poll(() => calls.length).toBe(3)
    stop()
    expect(calls[2]?.signal.aborted).toBe(true)
  })

  it('keeps its result and shows the error of a failed refetch; caches are bypassed', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch } = openQueries()
    const { state$, refetch } = watch(toWatched({ queryKey: ['a'], queryFn }))
    const { last } = record(state$)
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.respond('result')
    await expect.poll(last).toMatchObject(withData('result'))
    const refetched = refetch()
    await expect.poll(() => calls.length).toBe(2)
    expect([calls[1]?.isRepeated, last()]).toMatchObject([true, { ...withData('result'), isFetching: true }])
    calls[1]?.fail(FAILURE)
    await refetched
    expect(last()).toMatchObject({ status: 'error', data: 'result', error: FAILURE, isFetching: false })
  })

  it('shows what `placeholderData` throws as its error, until there is a result', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch } = openQueries()
    const placeholderData = () => {
      throw FAILURE
    }
    const { last, stop } = record(watch(toWatched({ queryKey: ['a'], queryFn, placeholderData })).state$)
    expect(last()).toMatchObject({ status: 'error', data: undefined, error: FAILURE, isFetching: true })
    await expect.poll(() => calls.length).toBe(1)
    expect(last()).toMatchObject({ status: 'error', data: undefined, error: FAILURE, isFetching: true })
    calls[0]?.respond('result')
    await expect.poll(last).toMatchObject(withData('result'))
    stop()
  })

  it('wraps errors of the query function that are not its own, thrown ones too', async () => {
    const { watch } = openQueries()
    const cause = new Error('typo')
    const queryFn = () => {
      throw cause
    }
    const { last } = record(watch(toWatched({ queryKey: ['a'], queryFn })).state$)
    await expect.poll(last).toMatchObject({ status: 'error', error: { message: 'The query failed', cause } })
  })

  it('does not fetch while disabled, except for a refetch', async () => {
    const { calls, queryFn } = scriptQuery()
    const { queries } = openQueries()
    const query$ = new BehaviorSubject(toWatched({ queryKey: ['a'], queryFn, enabled: false }))
    const { state$, refetch } = queries.watch(query$)
    const { last } = record(state$)
    expect(last()).toMatchObject({ status: 'pending', isFetching: false })
    const refetched = refetch()
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.respond('by hand')
    await refetched
    query$.next(toWatched({ queryKey: ['a'], queryFn, enabled: true }))
    await expect.poll(() => calls.length).toBe(2)
  })

  it('aborts without a connection, keeps its result, and fetches on each connect', async () => {
    const { calls, queryFn } = scriptQuery()
    const { queries } = openQueries()
    const connected = toWatched({ queryKey: ['a'], queryFn })
    const query$ = new BehaviorSubject(toWatched(connected.options, { isAvailable: false }))
    const { last } = record(queries.watch(query$).state$)
    expect(last()).toMatchObject({ status: 'pending', isFetching: false })
    query$.next(connected)
    await expect.poll(() => calls.length).toBe(1)
    query$.next(toWatched(connected.options, { isAvailable: false }))
    await expect.poll(last).toMatchObject({ status: 'pending', error: null, isFetching: false })
    expect(calls[0]?.signal.aborted).toBe(true)
    query$.next(connected)
    await expect.poll(() => calls.length).toBe(2)
    calls[1]?.respond('result')
    await expect.poll(last).toMatchObject(withData('result'))
    query$.next(toWatched(connected.options, { isAvailable: false }))
    expect(last()).toMatchObject(withData('result'))
    query$.next(connected)
    await expect.poll(() => calls.length).toBe(3)
  })

  it('drops its result on another network, whose placeholder never shows it', async () => {
    const { calls, queryFn } = scriptQuery()
    const { queries } = openQueries()
    const options = { queryKey: ['a'], queryFn, placeholderData: (previous?: string) => previous }
    const query$ = new BehaviorSubject(toWatched(options))
    const { last } = record(queries.watch(query$).state$)
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.respond('of simnet')
    await expect.poll(last).toMatchObject(withData('of simnet'))
    query$.next(toWatched({ ...options, queryKey: ['b'] }))
    await expect.poll(() => calls.length).toBe(2)
    expect(last()).toMatchObject({ data: 'of simnet', isFetching: true }) // the same network: kept
    query$.next(toWatched({ ...options, queryKey: ['b'] }, { network: 'mainnet' }))
    expect(last()).toMatchObject({ status: 'pending', data: undefined })
  })

  it('selects from results and placeholders; a select that throws is the error', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch } = openQueries()
    const select = (result: string) => {
      if (result === 'bad') throw FAILURE
      return result.toUpperCase()
    }
    const { state$, refetch } = watch(toWatched({ queryKey: ['a'], queryFn, select, placeholderData: 'soon' }))
    const { last } = record(state$)
    expect(last()).toMatchObject({ status: 'success', data: 'SOON', isFetching: true, dataUpdatedAt: 0 })
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.respond('result')
    await expect.poll(last).toMatchObject(withData('RESULT'))
    const refetched = refetch()
    await expect.poll(() => calls.length).toBe(2)
    calls[1]?.respond('bad')
    await refetched
    expect(last()).toMatchObject({ status: 'error', error: FAILURE })
  })

  it('polls after each result, and not on a hidden page', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch, visible$ } = openQueries()
    const refetchInterval = 1
    const { last } = record(watch(toWatched({ queryKey: ['a'], queryFn, refetchInterval })).state$)
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.respond('first')
    await expect.poll(() => calls.length).toBe(2)
    expect(calls[1]?.isRepeated).toBe(true)
    visible$.next(false)
    calls[1]?.respond('second')
    await expect.poll(last).toMatchObject(withData('second'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls).toHaveLength(2)
    visible$.next(true)
    await expect.poll(() => calls.length).toBe(3)
  })

  it('starts with a rendered result and does not fetch it, and fetches again after a rendered failure', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch } = openQueries()
    const rendered = (queryKey: string[], result: object) =>
      record(watch(toWatched({ queryKey, queryFn }, { rendered: result as never })).state$)
    const known = rendered(['known'], { data: 'rendered', updatedAt: 7 })
    expect(known.states).toMatchObject([{ ...withData('rendered'), dataUpdatedAt: 7 }])
    const failed = rendered(['failed'], { error: FAILURE, updatedAt: 7 })
    expect(failed.states).toMatchObject([{ status: 'error', error: FAILURE, isFetching: false }])
    await expect.poll(() => calls.map(({ queryKey }) => queryKey)).toEqual([['failed']])
    expect(known.last()).toMatchObject({ ...withData('rendered'), dataUpdatedAt: 7 })
    known.stop()
    failed.stop()
  })

  it('completes and aborts with its core, and resolves a refetch without a subscriber', async () => {
    const { calls, queryFn } = scriptQuery()
    const { watch, lifetime } = openQueries()
    const { state$, refetch } = watch(toWatched({ queryKey: ['a'], queryFn }))
    const { subscription } = record<QueryState<string>>(state$)
    await expect.poll(() => calls.length).toBe(1)
    lifetime.unsubscribe()
    expect([subscription.closed, calls[0]?.signal.aborted]).toEqual([true, true])
    await refetch()
    expect(calls).toHaveLength(1)
  })
})
