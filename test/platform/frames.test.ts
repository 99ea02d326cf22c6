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
