import { from } from 'rxjs'
import { expect, it } from 'vitest'
import { onceEach } from '../../src/streams/once-each.js'
import { marbles } from '../marbles.js'

it(
  'lets through what it has not heard before, however often it is said',
  marbles((m) => {
    const source$ = m.hot(' -a-a-b-ab-c-|')
    const expected = '    -a---b----c-|'
    m.expect(source$.pipe(onceEach((letter) => letter))).toBeObservable(expected)
  }),
)

it(
  'remembers for each listener apart, from its first moment on',
  marbles((m) => {
    const heard$ = m.cold('-a-a-b|').pipe(onceEach((letter) => letter))
    m.expect(heard$).toBeObservable('          -a---b|')
    m.expect(heard$, '---^--').toBeObservable(' ----a---b|')
  }),
)

it('forgets what came a thousand values ago, so that it costs the same for ever', () => {
  const heard: number[] = []
  const numbers = Array.from({ length: 1_001 }, (_, at) => at)
  from([...numbers, 1_000, 0])
    .pipe(onceEach((number) => number))
    .subscribe((number) => heard.push(number))
  expect(heard).toEqual([...numbers, 0])
})
