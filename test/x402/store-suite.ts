import { beforeEach, expect, it } from 'vitest'
import type { X402Store } from '../../src/x402/stores/store.js'
import { paymentOf } from './support/payments.js'

let schemas = 0
/** What every store does; `open` opens the same store again, as another instance. */
export function storeTests(open: (schema: string) => X402Store): void {
  let schema: string
  let store: X402Store
  beforeEach(() => {
    schema = `x402_${++schemas}`
    store = open(schema)
  })
  const [a, b] = [paymentOf('aa'), paymentOf('bb')]

  it('claims a payment once, and returns the stored one', async () => {
    expect(await store.claim(a)).toEqual({ type: 'claimed', payment: a })
    const later = { ...a, claimedAt: a.claimedAt + 1 }
    expect(await store.claim(later)).toEqual({ type: 'known', payment: a })
    expect(await store.find(a.network, a.transactionId)).toEqual(a)
    expect(await store.find('kaspa:devnet', a.transactionId)).toBe(null)
  })

  it('lets one of twenty claims of the same payment win', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(a)))
    expect(claims.filter(({ type }) => type === 'claimed')).toHaveLength(1)
  })

  it('lets one payment claim an outpoint, until it is released', async () => {
    await store.claim(a)
    const rival = { ...b, outpoints: [...b.outpoints, ...a.outpoints] }
    expect(await store.claim(rival)).toEqual({ type: 'taken', transactionId: a.transactionId })
    expect(await store.find(b.network, b.transactionId)).toBe(null)
    expect(await store.claim(b)).toMatchObject({ type: 'claimed' }) // nothing of the refused claim has stayed
    await store.release(a)
    expect(await store.claim({ ...rival, transactionId: 'cc'.repeat(32), outpoints: a.outpoints })).toMatchObject({
      type: 'claimed',
    })
  })

  it('writes the next version, and refuses a version that another instance has written', async () => {
    await store.claim(a)
    const next = {
      ...a,
      state: 'served',
      version: 1,
      response: { status: 200, headers: { a: '1' }, body: 'eA==' },
    } as const
    expect(await store.update(next)).toBe(true)
    expect(await store.update({ ...next, state: 'serving' })).toBe(false)
    expect(await store.find(a.network, a.transactionId)).toEqual(next)
  })

  it('lists what the chain can still change after a number, and keeps a cursor', async () => {
    await store.claim(a)
    const [first] = await store.after(a.network, 0n)
    expect(first?.payment).toEqual(a)
    await store.claim(b)
    expect((await store.after(a.network, first!.sequence)).map(({ payment }) => payment)).toEqual([b])
    await store.update({ ...b, state: 'rejected', version: 1 })
    expect(await store.after(a.network, first!.sequence)).toEqual([])
    expect(await store.cursor(a.network)).toBe(null)
    for (const cursor of ['one', 'two']) await store.saveCursor(a.network, cursor)
    expect([await store.cursor(a.network), await store.cursor('kaspa:devnet')]).toEqual(['two', null])
  })

  it('prunes what was served or rejected, with its claims', async () => {
    await store.claim(a)
    await store.claim(b)
    await store.update({ ...a, state: 'served', version: 1 })
    expect(await store.prune(a.network, a.claimedAt)).toBe(0)
    expect(await store.prune(a.network, a.claimedAt + 1)).toBe(1)
    expect(await store.find(a.network, a.transactionId)).toBe(null)
    expect(await store.claim({ ...b, transactionId: 'dd'.repeat(32), outpoints: a.outpoints })).toMatchObject({
      type: 'claimed',
    })
  })
}
