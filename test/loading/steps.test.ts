import { describe, expect, it } from 'vitest'
import { nextTask, finish, inSteps$, type Steps } from '../../src/loading/steps.js'

/** A work of steps, each of which takes `ms` of a clock. */
function createWork(steps: number, ms: number) {
  const done: number[] = []
  let time = 0
  function* work(): Steps<string> {
    for (let step = 0; step < steps; step++) {
      if (step > 0) yield
      done.push(step)
      time += ms
    }
    return 'result'
  }
  return { done, steps: work(), now: () => time }
}

/** The emissions of a work done in steps. */
function subscribeTo({ steps, now }: Pick<ReturnType<typeof createWork>, 'steps' | 'now'>) {
  const seen: string[] = []
  const subscription = inSteps$(steps, now).subscribe({
    next: (value) => seen.push(value),
    error: (error: unknown) => seen.push(String(error)),
    complete: () => seen.push('complete'),
  })
  return { seen, subscription }
}

describe('work in steps', () => {
  it('emits at once where it takes less than a slice', () => {
    const work = createWork(4, 2)
    expect(subscribeTo(work).seen).toEqual(['result', 'complete'])
  })

  it('pauses after 8 ms, and goes on in other tasks', async () => {
    const work = createWork(10, 3)
    const { seen } = subscribeTo(work)
    expect(work.done).toEqual([0, 1, 2])
    await expect.poll(() => seen).toEqual(['result', 'complete'])
    expect(work.done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('ends after the current slice when it is unsubscribed from', async () => {
    const work = createWork(100, 8)
    const { seen, subscription } = subscribeTo(work)
    await nextTask()
    subscription.unsubscribe()
    const { length } = work.done
    for (let tasks = 0; tasks < 5; tasks++) await nextTask()
    expect(work.done).toHaveLength(length)
    expect(seen).toEqual([])
  })

  it('errors with what a later step throws', async () => {
    function* failing(): Steps<string> {
      yield
      throw new Error('Malformed')
    }
    let time = 0
    const { seen } = subscribeTo({ steps: failing(), now: () => (time += 8) })
    await expect.poll(() => seen).toEqual(['Error: Malformed'])
  })

  it('has the same result in one piece', () => {
    expect(finish(createWork(10, 3).steps)).toBe('result')
  })
})
