import { afterEach, beforeEach, expect, it } from 'vitest'
import type { X402Store } from '../../src/x402/stores/store.js'
import { offer, payment, present } from './support/desk.js'
import { openMarket, PRICE, type Market } from './support/market.js'

/** Two servers on one database; `open` opens the store of each. */
export function instancesTests(open: () => X402Store): void {
  let market: Market
  beforeEach(async () => {
    market = await openMarket()
    market.mineAlways()
  })
  afterEach(() => market.end())

  it('run the handler once for ten identical requests to each', async () => {
    const servers = [await market.facilitator(open()), await market.facilitator(open())]
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
}
