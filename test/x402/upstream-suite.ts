import { decodePaymentSignatureHeader } from '@x402/core/http'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kasSpendControls } from '../../src/x402/binding/offer.js'
import type { KaspaClient } from '../../src/x402/client/kaspa-client.js'
import { FULL } from '../full.js'
import { openMarket, PRICE, type Market } from './support/market.js'
import { serveExpress, serveHono, type PaidServer } from './support/servers.js'

export function upstreamTests(): void {
  let market: Market
  beforeAll(async () => {
    market = await openMarket()
    market.mineAlways()
  })
  afterAll(() => market.end())

  /** A fetch that pays, and the payments that it has sent. */
  async function payer() {
    const sent: string[] = []
    const kaspa = await market.client()
    const spy: typeof fetch = (input, init) => {
      const header = headersOf(input).get('payment-signature')
      if (header !== null) sent.push(header)
      return fetch(input, init)
    }
    const client = new x402Client()
      .setSpendControls(kasSpendControls({ network: 'simnet', maxAmountPerPayment: PRICE }))
      .register('kaspa:simnet', kaspa)
    return { kaspa, sent, pay: wrapFetchWithPayment(kaspa.fetch({ fetch: spy }), client) }
  }

  /** The upstream client passes requests. */
  const headersOf = (input: Parameters<typeof fetch>[0]): Headers =>
    input instanceof Request ? input.headers : new Headers()

  const earned = (): number => market.devnode.expected.transfers([market.payTo]).length - opening
  let opening: number

  describe.each([
    ['express', serveExpress],
    ['hono', serveHono],
  ] as const)('%s', (name, serveApp) => {
    let server: PaidServer
    let agent: { kaspa: KaspaClient; sent: string[]; pay: typeof fetch }
    beforeEach(async () => {
      const x402 = await market.facilitator()
      server = await serveApp(x402, { payTo: market.payTo })
      agent = await payer()
      opening = market.devnode.expected.transfers([market.payTo]).length
    })
    afterEach(() => server.close())

    it('is paid before the handler runs, and the same payment gets the same response', async () => {
      const response = await agent.pay(`${server.url}/report`)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ report: 1 })
      const [header] = agent.sent
      const again = await fetch(`${server.url}/report`, { headers: { 'payment-signature': header! } })
      expect([again.status, await again.json(), again.headers.get('x-report')]).toEqual([200, { report: 1 }, '1'])
      expect(again.headers.get('payment-response')).toBe(response.headers.get('payment-response'))
      expect([server.calls, earned(), await agent.kaspa.open()]).toEqual([['/report'], 1, []])
    })

    const isBrief = name === 'hono' && !FULL // the middleware differs, what is behind it does not
    it.skipIf(isBrief)('binds a payment to method, URL and body', async () => {
      const post = (url: string, body: string, headers = {}) =>
        [
          `${server.url}${url}`,
          { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
        ] as const
      const paid = await agent.pay(...post('/ask', '{"question":1}'))
      expect([paid.status, await paid.json()]).toEqual([200, { response: { question: 1 } }])
      const stolen = { 'payment-signature': agent.sent[0]! }
      for (const url of ['/ask?other', '/report']) {
        const replayed = await fetch(
          `${server.url}${url}`,
          url === '/report' ? { headers: stolen } : post(url, '{"question":1}', stolen)[1],
        )
        expect(replayed.status).toBe(402)
      }
      const other = await fetch(...post('/ask', '{"question":2}', stolen))
      expect([other.status, server.calls, earned()]).toEqual([402, ['/ask'], 1])
    })

    it.skipIf(isBrief)('runs the handler once for ten identical requests at once', async () => {
      const offer = await fetch(`${server.url}/report`)
      expect(offer.status).toBe(402)
      const once = await prepared(agent, `${server.url}/report`)
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => fetch(`${server.url}/report`, { headers: { 'payment-signature': once } })),
      )
      const bodies = await Promise.all(responses.map((response) => response.json()))
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
      expect(bodies).toEqual(bodies.map(() => ({ report: 1 })))
      expect([server.calls, earned()]).toEqual([['/report'], 1])
    })
  })

  /** A signed payment that was not sent to the server. */
  async function prepared({ kaspa }: { kaspa: KaspaClient }, url: string): Promise<string> {
    let header = ''
    const client = new x402Client()
      .setSpendControls(kasSpendControls({ network: 'simnet', maxAmountPerPayment: PRICE }))
      .register('kaspa:simnet', kaspa)
    const withheld: typeof fetch = async (input, init) => {
      const found = headersOf(input).get('payment-signature')
      if (found === null) return fetch(input, init)
      header = found
      return new Response(null, { status: 200 })
    }
    await wrapFetchWithPayment(kaspa.fetch({ fetch: withheld }), client)(url)
    expect(decodePaymentSignatureHeader(header).payload).toMatchObject({ type: 'exact-transaction' })
    return header
  }
}
