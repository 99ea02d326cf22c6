import { describe, expect, it } from 'vitest'
import { toIterator } from '../../../src/streams/chain/iteration.js'

/** An iteration over two batches, the second of which fails by call, with a log of what is opened and released. */
function createIteration() {
  const log: string[] = []
  let fail: (error: unknown) => void = () => undefined
  const second = new Promise<number>((_, reject) => (fail = reject))
  second.catch(() => undefined) // it may fail before it is awaited
  const iterator = toIterator(() => {
    log.push('open')
    async function* batches(): AsyncGenerator<number, undefined, undefined> {
      yield 1
      yield await second
      return undefined
    }
    const end = (reason: string): void => {
      log.push(reason)
      fail(new Error(reason))
    }
    return { batches: batches(), end }
  })
  return { iterator, log, fail }
}

describe('an iterator over batches', () => {
  it('opens nothing before the first next()', async () => {
    const { iterator, log } = createIteration()
    expect(log).toEqual([])
    expect(await iterator.next()).toEqual({ value: 1, done: false })
    expect(log).toEqual(['open'])
  })

  it('opens nothing after return()', async () => {
    const { iterator, log } = createIteration()
    expect(await iterator.return?.()).toEqual({ value: undefined, done: true })
    expect(await iterator.next()).toEqual({ value: undefined, done: true })
    expect(log).toEqual([])
  })

  it('is done at once by return(), also where the release fails a pending next()', async () => {
    const { iterator, log } = createIteration()
    await iterator.next()
    const pending = iterator.next()
    await iterator.return?.()
    expect(await pending).toEqual({ value: undefined, done: true })
    expect(log).toContain('The iteration was ended by return()')
  })

  it('releases everything where a batch fails, and rejects', async () => {
    const { iterator, log, fail } = createIteration()
    await iterator.next()
    const pending = iterator.next()
    fail(new Error('gap'))
    await expect(pending).rejects.toThrow('gap')
    expect(log).toEqual(['open', 'The iteration has ended'])
  })
})
