import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { effectScope, watch } from 'vue'
import { announce, useAnnouncement } from '../../demo/src/shared/announcer.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('announces at most once a second, the first sentence immediately and the latest one afterwards', async () => {
  const scope = effectScope()
  const announced: [ms: number, sentence: string][] = []
  const began = Date.now()
  scope.run(() => {
    watch(useAnnouncement(), (sentence) => announced.push([Date.now() - began, sentence]), { flush: 'sync' })
  })
  for (const sentence of ['one', 'two', 'three', 'four', 'five']) {
    announce(sentence)
    await vi.advanceTimersByTimeAsync(300)
  }
  await vi.advanceTimersByTimeAsync(5_000)
  announce('six')
  expect(announced).toEqual([
    [0, 'one'],
    [1_000, 'four'],
    [2_000, 'five'],
    [6_500, 'six'],
  ])
  scope.stop()
})
