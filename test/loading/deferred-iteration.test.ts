import { describe, expect, it } from 'vitest'
import { deferIteration } from '../../src/loading/lazy-methods.js'

/** An iteration over 1 and 2 that records its calls. */
function numbers(calls: string[]) {
  async function* run(): AsyncGenerator<number, undefined, undefined> {
    calls.push('started')
    try {
      yield await Promise.resolve(1)
      yield 2
    } finally {
      calls.push('ended')
    }
    return undefined
  }
  return run()
}

const DONE = { done: true, value: undefined }

describe('a deferred iteration', () => {
  it('loads with the first next(), once, and iterates', async () => {
    const calls: string[] = []
    const iteration = deferIteration(() => {
      calls.push('loaded')
      return Promise.resolve(numbers(calls))
    })
    expect(calls).toEqual([])
    const found: number[] = []
    for await (const number of iteration) found.push(number)
    expect([found, calls]).toEqual([
      [1, 2],
      ['loaded', 'started', 'ended'],
    ])
  })

  it('keeps the order of concurrent calls', async () => {
    const iteration = deferIteration(() => Promise.resolve(numbers([])))
    const results = await Promise.all([iteration.next(), iteration.next(), iteration.return?.(), iteration.next()])
    expect(results).toEqual([{ done: false, value: 1 }, { done: false, value: 2 }, DONE, DONE])
  })

  it('loads nothing after return()', async () => {
    const iteration = deferIteration(() => Promise.reject(new Error('It must not load')))
    expect(await iteration.return?.()).toEqual(DONE)
    expect(await iteration.next()).toEqual(DONE)
  })

  it('ends the inner iteration with return()', async () => {
    const calls: string[] = []
    const iteration = deferIteration(() => Promise.resolve(numbers(calls)))
    await iteration.next()
    await iteration.return?.()
    expect(calls).toEqual(['started', 'ended'])
  })

  it('rejects where loading fails, and loads again with the next call', async () => {
    let attempts = 0
    const iteration = deferIteration(() =>
      ++attempts === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(numbers([])),
    )
    await expect(iteration.next()).rejects.toThrow('offline')
    expect(await iteration.next()).toEqual({ done: false, value: 1 })
  })
})
