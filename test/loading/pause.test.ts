import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPause } from '../../src/loading/pause.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('does not pause where the signal is aborted already', async () => {
  await createPause(AbortSignal.abort()).wait()
  expect(vi.getTimerCount()).toBe(0)
})
