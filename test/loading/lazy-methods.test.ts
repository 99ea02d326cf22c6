import { describe, expect, it } from 'vitest'
import { lateMethods, lazyMethods } from '../../src/loading/lazy-methods.js'

/** Methods that note their calls. */
function createMethods(calls: string[] = []) {
  return {
    first: (value: number) => Promise.resolve(calls.push(`first ${value}`)),
    second: (value: number) => Promise.resolve(calls.push(`second ${value}`)),
  }
}

const NAMES = ['first', 'second'] as const

describe('lazyMethods', () => {
  it('load with the first call, once for all', async () => {
    const calls: string[] = []
    let loads = 0
    const methods = lazyMethods(NAMES, () => {
      loads++
      return Promise.resolve(createMethods(calls))
    })
    expect(loads).toBe(0)
    expect(await Promise.all([methods.first(1), methods.second(2), methods.first(3)])).toEqual([1, 2, 3])
    expect([loads, calls]).toEqual([1, ['first 1', 'second 2', 'first 3']])
  })

  it('run within the call once loaded', async () => {
    const calls: string[] = []
    const methods = lazyMethods(NAMES, () => Promise.resolve(createMethods(calls)))
    await methods.first(1)
    const second = methods.second(2)
    expect(calls).toEqual(['first 1', 'second 2'])
    expect(await second).toBe(2)
  })

  it('keep the order of calls, also of one that is made while the first ones begin', async () => {
    const calls: string[] = []
    const loaded = createMethods(calls)
    const first = (value: number): Promise<number> => {
      const result = loaded.first(value)
      later = methods.second(9)
      return result
    }
    let later: Promise<number> | undefined
    const methods = lazyMethods(NAMES, () => Promise.resolve({ ...loaded, first }))
    await Promise.all([methods.first(1), methods.second(2), methods.second(3)])
    await later
    expect(calls).toEqual(['first 1', 'second 2', 'second 3', 'second 9'])
  })

  it('reject where the load fails, and load again with the next call', async () => {
    const loads = [Promise.reject(new Error('offline')), Promise.resolve(createMethods())]
    const methods = lazyMethods(NAMES, () => loads.shift() ?? Promise.reject(new Error('loaded too often')))
    await expect(Promise.allSettled([methods.first(1), methods.second(2)])).resolves.toEqual([
      { status: 'rejected', reason: new Error('offline') },
      { status: 'rejected', reason: new Error('offline') },
    ])
    expect(await methods.first(1)).toBe(1)
  })

  it('run around each call, before anything is loaded', async () => {
    let loads = 0
    const load = () => {
      loads++
      return Promise.resolve(createMethods())
    }
    const methods = lazyMethods(NAMES, load, (name, run) =>
      name === 'first' ? Promise.reject(new Error('closed')) : run().then((count) => count + 100),
    )
    await expect(methods.first(1)).rejects.toThrow('closed')
    expect(loads).toBe(0)
    expect([await methods.second(1), await methods.second(1)]).toEqual([101, 102])
  })
})

describe('lateMethods', () => {
  it('find their object at each call, and throw within it', () => {
    let found: { readonly value: () => number } | undefined
    const { value } = lateMethods(['value'], () => {
      if (found === undefined) throw new Error('not ready')
      return found
    })
    expect(value).toThrow('not ready')
    found = { value: () => 1 }
    expect(value()).toBe(1)
    found = { value: () => 2 }
    expect(value()).toBe(2)
  })
})
