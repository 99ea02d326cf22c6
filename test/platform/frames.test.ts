import { Subject, auditTime } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createFrames } from '../../src/platform/frames.js'
import { createServerPlatform } from '../../src/platform/server.js'

describe('frames', () => {
  it('gather what comes between two of them', () => {
    const requested: (() => void)[] = []
    const frames = createFrames(
      (work) => {
        requested.push(work)
        return () => undefined
      },
      () => 0,
    )
    const source$ = new Subject<number>()
    const heard: number[] = []
    source$.pipe(auditTime(0, frames)).subscribe((value) => heard.push(value))
    ;[1, 2, 3].forEach((value) => source$.next(value))
    expect([requested.length, heard.length]).toEqual([1, 0])
    requested[0]?.()
    expect(heard).toEqual([3])
  })

  it('do all that waits for one in one go, and what is asked for meanwhile in the next', () => {
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

  it('go on for others when one is taken back', () => {
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
    const leaving = frames.schedule(() => done.push('gone'), 0)
    const staying = frames.schedule(() => done.push('stayed'), 0)
    leaving.unsubscribe()
    requested[0]?.()
    staying.unsubscribe() // it is done: nothing is left to be taken back
    expect([done, cancelled]).toEqual([['stayed'], 0])
  })

  it('are taken back by whoever leaves before', () => {
    let cancelled = 0
    const frames = createFrames(
      () => () => cancelled++,
      () => 0,
    )
    frames.schedule(() => undefined, 0).unsubscribe()
    expect(cancelled).toBe(1)
  })
})

it('a server is always online, always looked at, and stores nothing', () => {
  const { online$, visible$, storage, secure } = createServerPlatform()
  const seen: boolean[] = []
  online$.subscribe((value) => seen.push(value)).unsubscribe()
  visible$.subscribe((value) => seen.push(value)).unsubscribe()
  expect([seen, storage, secure]).toEqual([[true, true], null, false])
})
