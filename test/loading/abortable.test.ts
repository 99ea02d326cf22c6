import { describe, expect, it, vi, afterEach, beforeEach } from 'vitest'
import { abort$, abortable, onAbort, sleep, within } from '../../src/loading/abortable.js'

const REASON = new Error('stop')
const never = (): Promise<never> => new Promise(() => undefined)

describe('onAbort', () => {
  it.each([
    ['calls back at once where the signal is aborted', true, true],
    ['calls back when the signal aborts', false, true],
    ['does not call back after its end', false, false],
  ])('%s', (_, isAborted, isWaiting) => {
    const controller = new AbortController()
    if (isAborted) controller.abort(REASON)
    const reasons: unknown[] = []
    const end = onAbort(controller.signal, (reason) => reasons.push(reason))
    if (!isWaiting) end()
    controller.abort(REASON)
    expect(reasons).toEqual(isWaiting ? [REASON] : [])
  })

  it('removes what it has added', () => {
    const { signal } = new AbortController()
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    onAbort(signal, () => undefined)()
    expect(remove.mock.calls.map(([type, callback]) => [type, callback])).toEqual(
      add.mock.calls.map(([type, callback]) => [type, callback]),
    )
  })
})

describe('abortable', () => {
  it('has the result, or the error, of the work', async () => {
    const { signal } = new AbortController()
    expect(await abortable(signal, () => Promise.resolve(1))).toBe(1)
    expect(await abortable(undefined, () => Promise.resolve(2))).toBe(2)
    await expect(abortable(signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  })

  it('rejects when the signal aborts, with the error made of the reason', async () => {
    const controller = new AbortController()
    const result = abortable(controller.signal, never, (reason) => new TypeError('aborted', { cause: reason }))
    controller.abort(REASON)
    await expect(result).rejects.toEqual(new TypeError('aborted', { cause: REASON }))
  })

  it('does not begin where the signal is aborted already', async () => {
    const work = vi.fn(never)
    await expect(abortable(AbortSignal.abort(REASON), work)).rejects.toBe(REASON)
    expect(work).not.toHaveBeenCalled()
  })
})

describe('abort$', () => {
  it('emits the reason of an aborted signal, and completes', () => {
    const emitted: unknown[] = []
    abort$(AbortSignal.abort(REASON)).subscribe({
      next: (reason) => emitted.push(reason),
      complete: () => emitted.push('complete'),
    })
    expect(emitted).toEqual([REASON, 'complete'])
  })

  it('does not listen once unsubscribed', () => {
    const controller = new AbortController()
    const emitted: unknown[] = []
    abort$(controller.signal)
      .subscribe((reason) => emitted.push(reason))
      .unsubscribe()
    controller.abort(REASON)
    expect(emitted).toEqual([])
  })
})

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('passes before sleep() resolves', async () => {
    const slept = vi.fn()
    void sleep(100).then(slept)
    await vi.advanceTimersByTimeAsync(99)
    expect(slept).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(slept).toHaveBeenCalled()
  })

  it.each(['before', 'during'])('is over where the signal aborts %s sleep(), and no timer stays', async (when) => {
    const controller = new AbortController()
    if (when === 'before') controller.abort(REASON)
    const slept = sleep(100, controller.signal)
    controller.abort(REASON)
    await slept
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is bounded by within()', async () => {
    expect(await within(100, Promise.resolve(1), () => REASON)).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    const late = expect(within(100, never(), () => REASON)).rejects.toBe(REASON)
    await vi.advanceTimersByTimeAsync(100)
    await late
  })
})
