import { expect, it } from 'vitest'
import { createAttemptStore, type AttemptStorage, type StoredAttempt } from '../../src/x402/client/attempts.js'
import { turn } from '../turn.js'
import { importStorage } from './support/recipe.js'

const attemptOf = (transactionId: string, resolved: StoredAttempt['resolved'] = 'open'): StoredAttempt => ({
  id: `request ${transactionId}`,
  network: 'kaspa:simnet',
  requestHash: '',
  transactionId,
  payload: { x402Version: 2, payload: {} },
  outpoints: [],
  amount: 1n,
  fee: 1n,
  signedAt: 1,
  resolved,
})

/** A storage whose writes end in the order that the test decides. */
function openStorage() {
  const writes: (() => void)[] = []
  let stored: string | null = null
  const storage: AttemptStorage = {
    getItem: () => stored,
    setItem: (_, value) =>
      new Promise<void>((resolve) => {
        writes.push(() => {
          stored = value
          resolve()
        })
      }),
  }
  return { storage, writes }
}

export function attemptTests(): void {
  it('keeps attempts that are put at once, the newest of each', async () => {
    let stored: string | null = null
    const storage: AttemptStorage = { getItem: () => stored, setItem: (_, value) => (stored = value) }
    const store = createAttemptStore({ storage })
    await store.put(attemptOf('a'))
    await Promise.all([store.put(attemptOf('a', 'paid')), store.put(attemptOf('b')), store.put(attemptOf('c'))])
    for (const read of [store, createAttemptStore({ storage })])
      expect((await read.since(0)).map(({ transactionId, resolved }) => [transactionId, resolved])).toEqual([
        ['a', 'paid'],
        ['b', 'open'],
        ['c', 'open'],
      ])
  })

  it('writes one text at a time, so that a slow write replaces no newer one', async () => {
    const { storage, writes } = openStorage()
    const store = createAttemptStore({ storage })
    const puts = ['a', 'b'].map((id) => store.put(attemptOf(id)))
    for (const _ of puts) {
      await turn()
      expect(writes).toHaveLength(1)
      writes.shift()?.()
    }
    await Promise.all(puts)
    expect(await createAttemptStore({ storage }).since(0)).toHaveLength(2)
  })

  it('finds no attempt that could not be stored: it would be sent, and paid again after a crash', async () => {
    let isFull = true
    const setItem = () => {
      if (isFull) throw new Error('The disk is full')
    }
    const store = createAttemptStore({ storage: { getItem: () => null, setItem } })
    await expect(store.put(attemptOf('a'))).rejects.toThrow('The disk is full')
    expect(await store.find('request a')).toBeNull()
    isFull = false
    await store.put(attemptOf('a'))
    expect(await store.find('request a')).toMatchObject({ transactionId: 'a' })
  })

  it('does not take a file that cannot be read for one without payments, in the recipe', async () => {
    const { storage, folder } = await importStorage()
    expect(await storage.getItem('')).toBeNull()
    await storage.setItem('', '[]')
    expect(await storage.getItem('')).toBe('[]')
    const { storage: unreadable } = await importStorage(folder)
    await expect(unreadable.getItem('')).rejects.toMatchObject({ code: 'EISDIR' })
  })
}
