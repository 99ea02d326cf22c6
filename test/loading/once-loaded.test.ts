import { expect, it } from 'vitest'
import { onceLoaded } from '../../src/loading/load-code.js'

it('shares one load between all callers', async () => {
  let loads = 0
  const load = onceLoaded(() => Promise.resolve(++loads))
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

it('retries with the next call after a failure', async () => {
  const results = [Promise.reject(new Error('offline')), Promise.resolve('loaded')]
  const load = onceLoaded(() => results.shift() ?? Promise.reject(new Error('loaded a third time')))
  await expect(Promise.all([load(), load()])).rejects.toThrow('offline')
  expect([await load(), await load()]).toEqual(['loaded', 'loaded'])
})
