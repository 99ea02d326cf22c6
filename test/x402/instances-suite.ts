import { afterEach, beforeEach, expect, it } from 'vitest'
import type { X402Store } from '../../src/x402/stores/store.js'
import { offer, payment, present, URL } from './support/desk.js'
import { openMarket, PRICE, type Market } from './support/market.js'

/** Two servers on one database; `open` opens the store of each, by the name of its schema. */
export function instancesTests(open: (schema: string) => X402Store): void {
  let market: Market
  beforeEach(async () => {
    market = await openMarket()
    market.mineAlways()
  })
  afterEach(() => market.end())

  it('run the handler once for ten identical requests to each', async () => {
    const servers = [await market.facilitator(open('x402')), await market.facilitator(open('x402'))]
    const terms = await offer(servers[0]!, market.payTo)
    const paid = await payment(await market.client(), terms)
    const before = market.devnode.expected.transfers([market.payTo]).length
    let calls = 0
    const handler = () => `the report ${++calls}`
    const requests = servers.flatMap((x402) =>
      Array.from({ length: 10 }, () => present(x402, paid, terms, { handler })),
    )
    const responses = await Promise.all(requests)
    expect(responses.map(({ status, body }) => [status, body])).toEqual(responses.map(() => [200, 'the report 1']))
    const transfers = market.devnode.expected.transfers([market.payTo]).slice(before)
    expect([calls, transfers.map(({ amount }) => amount)]).toEqual([1, [PRICE]])
  })

  it('serve what an operator has recovered through the other one', async () => {
    const stores = ['recovered', 'recovered'].map(open)
    const [first, second] = [await market.facilitator(stores[0]), await market.facilitator(stores[1])]
    const terms = await offer(first, market.payTo)
    const paid = await payment(await market.client(), terms, `${URL}?recovered`)
    const presentTo = (x402: typeof first, handler?: () => string) =>
      present(x402, paid, terms, { url: `${URL}?recovered`, ...(handler && { handler }) })
    const fails = (): string => {
      throw new Error('The handler failed')
    }
    await expect(presentTo(first, fails)).rejects.toThrow('The handler failed')
    for (const x402 of [first, second]) expect(await presentTo(x402)).toMatchObject({ reason: 'recovery_required' })
    const { id } = JSON.parse(String(paid.payload.transaction)) as { id: string }
    await first.recover(id, { status: 200, headers: {}, body: btoa('by hand') })
    for (const x402 of [first, second]) expect(await presentTo(x402)).toMatchObject({ status: 200, body: 'by hand' })
  })
}
