import { Subject, auditTime } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createFrames } from '../../src/platform/schedulers.js'
import { createServerPlatform } from '../../src/platform/detect.js'

describe('frames', () => {
  it('coalesce the values between two frames', () => {
    const requested: (() => void)[] = []
    const frames = createFrames(
      (work) => {
        requested.push(work)
        return () => undefined
      },
      () => 0,
    )
    const source$ = new Subject<number>()
    const received: number[] = []
    source$.pipe(auditTime(0, frames)).subscribe((value) => received.push(value))
    ;[1, 2, 3].forEach((value) => source$.next(value))
    expect([requested.length, received.length]).toEqual([1, 0])
    requested[0]?.()
    expect(received).toEqual([3])
  })

  it('run all pending work together, and work scheduled meanwhile at the next frame', () => {
    const requested: (() => void)[] = []
    const frames = createFrames(
      (work) => {
        requested.push(work)
        return () => undefined
      },
      () => 0,
    )
    const done: string[] = []
    frames.schedule(() => {
      done.push('first')
      frames.schedule(() => done.push('later'), 0)
    }, 0)
    frames.schedule(() => done.push('second'), 0)
    expect(requested).toHaveLength(1)
    requested[0]?.()
    expect([done, requested.length]).toEqual([['first', 'second'], 2])
    requested[1]?.()
    expect(done).toEqual(['first', 'second', 'later'])
  })

  it('run the remaining work when one item is cancelled', () => {
    const requested: (() => void)[] = []
    let cancelled = 0
    const frames = createFrames(
      (work) => {
        requested.push(work)
        return () => cancelled++
      },
      () => 0,
    )
    const done: string[] = []
    const cancelledWork = frames.schedule(() => done.push('cancelled'), 0)
    const otherWork = frames.schedule(() => done.push('run'), 0)
    cancelledWork.unsubscribe()
    requested[0]?.()
    otherWork.unsubscribe() // already run: nothing to cancel
    expect([done, cancelled]).toEqual([['run'], 0])
  })

  it('are cancelled by unsubscribing before', () => {
    let cancelled = 0
    const frames = createFrames(
      () => () => cancelled++,
      () => 0,
    )
    frames.schedule(() => undefined, 0).unsubscribe()
    expect(cancelled).toBe(1)
  })
})

it('a server is always online and visible, and has no storage', () => {
  const { online$, visible$, storage, secure } = createServerPlatform()
  const seen: boolean[] = []
  online$.subscribe((value) => seen.push(value)).unsubscribe()
  visible$.subscribe((value) => seen.push(value)).unsubscribe()
  expect([seen, storage, secure]).toEqual([[true, true], null, false])
})
