import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withPauses } from '../../src/loading/pause.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const none = Promise.resolve('none')

/** A source whose values and end the test gives. */
function createSource() {
  let settle: { resolve(result: IteratorResult<string, undefined>): void; reject(error: Error): void } | undefined
  const source = {
    requests: 0,
    isReturned: false,
    next() {
      source.requests++
      return new Promise<IteratorResult<string, undefined>>((resolve, reject) => (settle = { resolve, reject }))
    },
    return() {
      source.isReturned = true
      return Promise.resolve({ done: true, value: undefined } as const)
    },
    give: (value: string) => settle?.resolve({ done: false, value }),
    end: () => settle?.resolve({ done: true, value: undefined }),
    fail: (error: Error) => settle?.reject(error),
  }
  return source
}

it('yields a pause once where the source yields nothing for long', async () => {
  const source = createSource()
  const values = withPauses(source, 1_000)
  const first = values.next()
  source.give('a')
  expect(await first).toEqual({ done: false, value: 'a' })
  const pause = values.next()
  await vi.advanceTimersByTimeAsync(999)
  expect(await Promise.race([pause, none])).toBe('none')
  await vi.advanceTimersByTimeAsync(1)
  expect(await pause).toEqual({ done: false, value: undefined })
  const next = values.next()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await Promise.race([next, none])).toBe('none')
  source.give('b')
  expect(await next).toEqual({ done: false, value: 'b' })
  expect(source.requests).toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})

it('ends with the source', async () => {
  const source = createSource()
  const next = withPauses(source, 1_000).next()
  source.end()
  expect(await next).toEqual({ done: true, value: undefined })
  expect(source.isReturned).toBe(false)
})

it('rejects as the source does, also where that fails in a pause', async () => {
  const source = createSource()
  const values = withPauses(source, 1_000)
  const pause = values.next()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pause).toEqual({ done: false, value: undefined })
  source.fail(new Error('lost'))
  await vi.advanceTimersByTimeAsync(0) // handled, or the run would fail
  await expect(values.next()).rejects.toThrow('lost')
})

it('ends the source where the iteration is left, also in a pause', async () => {
  for (const isPause of [false, true]) {
    const source = createSource()
    const values = withPauses(source, 1_000)
    const first = values.next()
    if (!isPause) source.give('a')
    await vi.advanceTimersByTimeAsync(1_000)
    await first
    await values.return(undefined)
    expect(source.isReturned).toBe(true)
  }
})
