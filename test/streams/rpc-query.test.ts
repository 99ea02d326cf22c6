import { EMPTY, asyncScheduler, filter, map, of, type Observable } from 'rxjs'
import { describe, it } from 'vitest'
import { createRpcQueryCache, type RpcQueryState } from '../../src/streams/rpc-query.js'
import { marbles } from '../marbles.js'

/** One letter a state: idle, loading, the answer itself, or x for a failure. */
const toLetter = ({ status, data }: RpcQueryState<string>): string =>
  status === 'success' ? (data ?? '?') : { idle: 'i', loading: 'l', error: 'x' }[status]

/** The first question gets the first answer, the second the second. */
function toAnswers(...answers: Observable<string>[]): () => Observable<string> {
  let asked = 0
  return () => answers[asked++] ?? EMPTY
}

const FAILURE = new Error('The node is tired')
const UP = { t: true, f: false }

describe('a question to the node', () => {
  it(
    'waits for a connection, and is asked again after each reconnect',
    marbles((m) => {
      const connected$ = m.hot('f--t-----f---t----', UP)
      const answer$ = m.cold('     --(a|)             ')
      const asked = ['                       ---^-!', '                       -------------^-!']
      const expected = '        i--l-a-------l-a--'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      m.expect(cache.state$('key', () => answer$, 0).pipe(map(toLetter))).toBeObservable(expected)
      m.expect(answer$).toHaveSubscriptions(asked)
    }),
  )

  it(
    'is forgotten with its answer where another network is sought',
    marbles((m) => {
      const connected$ = m.hot('-t---f----t---', UP)
      const network$ = m.hot('  s----d--------')
      const answers = toAnswers(m.cold('-(a|)'), m.cold('-(b|)'))
      const expected = '        ila--i----lb'
      const cache = createRpcQueryCache({ connected$, network$, scheduler: asyncScheduler })
      m.expect(cache.state$('key', answers, 0).pipe(map(toLetter)), '^-------------!').toBeObservable(expected)
    }),
  )

  it(
    'is asked at every interval, though never while an answer is under way',
    marbles((m) => {
      const connected$ = m.hot('-t----------------', UP)
      const answers = toAnswers(m.cold('-(a|)'), m.cold('------(b|)'), m.cold('-(c|)'))
      //         the interval:   ^----|----|----|
      const expected = '        ila---l-----b---lc'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      const state$ = cache.state$('key', answers, 5)
      m.expect(state$.pipe(map(toLetter)), '^-----------------!').toBeObservable(expected)
    }),
  )

  it(
    'keeps its last answer when an attempt fails, and asks again when it is told to',
    marbles((m) => {
      const connected$ = m.hot('-t-----------', UP)
      const refresh$ = m.hot('  ----r--r-----')
      const answers = toAnswers(m.cold('-(a|)'), m.cold('-#', undefined, FAILURE), m.cold('-(b|)'))
      const expected = '        ila-lx-lb'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      const state$ = cache.state$('key', answers, 0)
      const failed$ = state$.pipe(filter(({ status }) => status === 'error'))
      m.expect(state$.pipe(map(toLetter))).toBeObservable(expected)
      m.expect(failed$).toBeObservable('-----x', { x: { status: 'error', data: 'a', error: FAILURE } })
      refresh$.subscribe(() => cache.refresh('key'))
    }),
  )

  it(
    'is asked once for all who ask it under one key, and anew once nobody listens',
    marbles((m) => {
      const connected$ = m.cold('-t', UP)
      const answer$ = m.cold('    --(a|)         ')
      const asked = ['                        -^-!            ', '                        ---------^-!    ']
      const listeners = ['      ^----!          ', '--^---!', '--------^---!']
      const expected = ['       il-a            ', '--la  ', '--------il-a']
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      for (const [index, listener] of listeners.entries()) {
        m.expect(cache.state$('key', () => answer$, 0).pipe(map(toLetter)), listener.trim()).toBeObservable(
          expected[index]!.trim(),
        )
      }
      m.expect(answer$).toHaveSubscriptions(asked)
    }),
  )

  it(
    'ends with the connection it depends on',
    marbles((m) => {
      const connected$ = m.hot('-t---(f|)', UP)
      const expected = '        ila-l(a|)'
      const cache = createRpcQueryCache({ connected$, network$: of('simnet'), scheduler: asyncScheduler })
      const letters$ = cache.state$('key', () => m.cold('-(a|)'), 3).pipe(map(toLetter))
      m.expect(letters$).toBeObservable(expected)
    }),
  )
})
