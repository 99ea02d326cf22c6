import { expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { AddedAddresses } from '../../../src/streams/transfers/added-addresses.js'
import type { BackfillContext } from '../../../src/streams/transfers/backfill.js'

/** A context whose passes begin at a cursor and never get a batch, and the cursors of the passes that are running. */
function createContext() {
  const running: string[] = []
  const pending = new Promise<never>(() => undefined)
  const context = {
    follow: (cursor: string) => {
      if (cursor === 'nonsense') throw new ChainError('no cursor', { code: 'invalid-argument' })
      running.push(cursor)
      const end = () => {
        running.splice(running.indexOf(cursor), 1)
        return Promise.resolve({ done: true as const, value: undefined })
      }
      const batches = { next: () => pending, return: end, [Symbol.asyncIterator]: () => batches }
      return batches
    },
    attempts: { run: () => pending },
    network: 'simnet',
    watched: { has: () => true },
    isChange: () => false,
  } as unknown as BackfillContext
  return { context, running }
}

const failing = (errors: unknown[]) => ({
  onProgress: () => undefined,
  onFailure: (error: unknown) => errors.push(error),
})

it('begins few passes from older blocks at a time, and that of a new address beside them', () => {
  const { context, running } = createContext()
  const added = new AddedAddresses(context, failing([]))
  for (const since of ['1', '2', '3', '4', '5']) added.add([`address ${since}`], { since })
  added.begin(() => 'tip')
  expect(running).toEqual(['1', '2', '3'])
  added.add(['new'], {})
  added.begin(() => 'tip')
  expect(running).toEqual(['1', '2', '3', 'tip'])
  added.delete(['address 2'])
  added.begin(() => 'tip')
  expect(running).toEqual(['1', '3', 'tip', '4'])
  added.end()
  expect(running).toEqual([])
})

it('reports the failure of a pass to those that have added its addresses, which do not count', () => {
  const { context, running } = createContext()
  const [errors, own]: [unknown[], unknown[]] = [[], []]
  const added = new AddedAddresses(context, failing(errors))
  added.add(['wrong'], { since: 'nonsense', onFailure: (error) => own.push(error) })
  added.add(['right'], { since: '1' })
  added.begin(() => 'tip')
  expect([errors, own]).toEqual([[], [expect.objectContaining({ code: 'invalid-argument' })]])
  expect([running, added.has('wrong'), added.has('right')]).toEqual([['1'], true, true])
  added.add(['other'], { since: 'nonsense' })
  added.begin(() => 'tip')
  expect(errors).toEqual([expect.objectContaining({ code: 'invalid-argument' })])
})
