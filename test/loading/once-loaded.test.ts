import { expect, it } from 'vitest'
import { onceLoaded } from '../../src/loading/once-loaded.js'

it('is one load for all who ask', async () => {
  let loads = 0
  const load = onceLoaded(() => Promise.resolve(++loads))
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

it('is tried again by whoever asks after a failure', async () => {
  const answers = [Promise.reject(new Error('offline')), Promise.resolve('here')]
  const load = onceLoaded(() => answers.shift() ?? Promise.reject(new Error('asked a third time')))
  await expect(Promise.all([load(), load()])).rejects.toThrow('offline')
  expect([await load(), await load()]).toEqual(['here', 'here'])
})
