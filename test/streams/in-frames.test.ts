import { describe, it } from 'vitest'
import { inFrames } from '../../src/streams/in-frames.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { marbles, type Marbles } from '../marbles.js'

const framesOf = (m: Marbles) => createTestPlatform({ scheduler: m.scheduler, frame: 3 }).frames
const values = { A: ['a', 'b'], B: ['c'] }

describe('values in frames', () => {
  it(
    'come together at the next frame, and nothing comes where there was none',
    marbles((m) => {
      const source$ = m.hot('  -ab-------c----', { a: 'a', b: 'b', c: 'c' })
      const expected = '       ----A--------B--'
      m.expect(source$.pipe(inFrames(framesOf(m)))).toBeObservable(expected, values)
    }),
  )

  it(
    'come before the end, which waits for their frame, or are lost to an error',
    marbles((m) => {
      m.expect(m.hot('-ab--(c|)').pipe(inFrames(framesOf(m)))).toBeObservable('----A---(B|)', values)
      m.expect(m.hot('-ab-----c#').pipe(inFrames(framesOf(m)))).toBeObservable('----A----#', values)
    }),
  )

  it(
    'are waited for by nobody who has left',
    marbles((m) => {
      const source$ = m.hot('-ab---c----')
      m.expect(source$.pipe(inFrames(framesOf(m))), '^------!').toBeObservable('----A------', values)
      m.expect(source$).toHaveSubscriptions('^------!')
    }),
  )
})
