import { EMPTY, asyncScheduler, filter, map, of, type Observable } from 'rxjs'
import { describe, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { createRpcQueryCache, type RpcQueryState } from '../../src/streams/rpc-query.js'
import { marbles } from '../marbles.js'

/** One letter per state: idle, loading, the data itself, or x for a failure. */
const toLetter = ({ status, data }: RpcQueryState<string>): string =>
  status === 'success' ? (data ?? '?') : { idle: 'i', loading: 'l', error: 'x' }[status]

/** One response per call, in order. */
function toResponses(...responses: Observable<string>[]): () => Observable<string> {
  let callCount = 0
  return () => responses[callCount++] ?? EMPTY
}

const FAILURE = new ChainError('The node failed')
const UP = { t: true, f: false }

describe('a query', () => {
  it(
    'waits for a connection, and repeats after each reconnect',
    marbles((m) => {
      const connected$ = m.hot('f--t-----f---t----', UP)
      const response$ = m.cold('     --(a|)             ')
      const subscriptions = ['                       ---^-!', '                       -------------^-!']
      const expected = '        i--l-a-------l-a--'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      m.expect(cache.state$('key', () => response$, 0).pipe(map(toLetter))).toBeObservable(expected)
      m.expect(response$).toHaveSubscriptions(subscriptions)
    }),
  )

  it(
    'drops its result on another network',
    marbles((m) => {
      const connected$ = m.hot('-t---f----t---', UP)
      const network$ = m.hot('  s----d--------')
      const responses = toResponses(m.cold('-(a|)'), m.cold('-(b|)'))
      const expected = '        ila--i----lb'
      const cache = createRpcQueryCache({ connected$, network$, scheduler: asyncScheduler })
      m.expect(cache.state$('key', responses, 0).pipe(map(toLetter)), '^-------------!').toBeObservable(expected)
    }),
  )

  it(
    'repeats at every interval, but not while a call is in flight',
    marbles((m) => {
      const connected$ = m.hot('-t----------------', UP)
      const responses = toResponses(m.cold('-(a|)'), m.cold('------(b|)'), m.cold('-(c|)'))
      //         the interval:   ^----|----|----|
      const expected = '        ila---l-----b---lc'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      const state$ = cache.state$('key', responses, 5)
      m.expect(state$.pipe(map(toLetter)), '^-----------------!').toBeObservable(expected)
    }),
  )

  it(
    'keeps its result when an attempt fails, and repeats on refresh',
    marbles((m) => {
      const connected$ = m.hot('-t-----------', UP)
      const refresh$ = m.hot('  ----r--r-----')
      const responses = toResponses(m.cold('-(a|)'), m.cold('-#', undefined, FAILURE), m.cold('-(b|)'))
      const expected = '        ila-lx-lb'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      const state$ = cache.state$('key', responses, 0)
      const failed$ = state$.pipe(filter(({ status }) => status === 'error'))
      m.expect(state$.pipe(map(toLetter))).toBeObservable(expected)
      m.expect(failed$).toBeObservable('-----x', { x: { status: 'error', data: 'a', error: FAILURE } })
      refresh$.subscribe(() => cache.refresh('key'))
    }),
  )

  it(
    'is shared by the subscribers of one key, and restarts after the last has left',
    marbles((m) => {
      const connected$ = m.cold('-t', UP)
      const response$ = m.cold('    --(a|)         ')
      const subscriptions = ['                        -^-!            ', '                        ---------^-!    ']
      const subscribers = ['      ^----!          ', '--^---!', '--------^---!']
      const expected = ['       il-a            ', '--la  ', '--------il-a']
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      for (const [index, subscriber] of subscribers.entries()) {
        m.expect(cache.state$('key', () => response$, 0).pipe(map(toLetter)), subscriber.trim()).toBeObservable(
          expected[index]!.trim(),
        )
      }
      m.expect(response$).toHaveSubscriptions(subscriptions)
    }),
  )

  it(
    'completes with its connection',
    marbles((m) => {
      const connected$ = m.hot('-t---(f|)', UP)
      const expected = '        ila-l(a|)'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      const letters$ = cache.state$('key', () => m.cold('-(a|)'), 3).pipe(map(toLetter))
      m.expect(letters$).toBeObservable(expected)
    }),
  )
})
