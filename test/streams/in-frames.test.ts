import { describe, it } from 'vitest'
import { inFrames } from '../../src/streams/bursts.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { marbles, type Marbles } from '../marbles.js'

const framesOf = (m: Marbles) => createTestPlatform({ scheduler: m.scheduler, frame: 3 }).frames
const values = { A: ['a', 'b'], B: ['c'] }

describe('inFrames', () => {
  it(
    'emits buffered values at the next frame, and nothing without values',
    marbles((m) => {
      const source$ = m.hot('  -ab-------c----', { a: 'a', b: 'b', c: 'c' })
      const expected = '       ----A--------B--'
      m.expect(source$.pipe(inFrames(framesOf(m)))).toBeObservable(expected, values)
    }),
  )

  it(
    'emits before the completion, which waits for the frame, and drops values on an error',
    marbles((m) => {
      m.expect(m.hot('-ab--(c|)').pipe(inFrames(framesOf(m)))).toBeObservable('----A---(B|)', values)
      m.expect(m.hot('-ab-----c#').pipe(inFrames(framesOf(m)))).toBeObservable('----A----#', values)
    }),
  )

  it(
    'stops with its subscriber',
    marbles((m) => {
      const source$ = m.hot('-ab---c----')
      m.expect(source$.pipe(inFrames(framesOf(m))), '^------!').toBeObservable('----A------', values)
      m.expect(source$).toHaveSubscriptions('^------!')
    }),
  )
})
