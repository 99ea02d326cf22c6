import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOfferedRequests } from '../../src/x402/client/paid-fetch.js'

/** `fetch` of a client, with a payment. */
export function repeatTests(): void {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['2', 2_000],
    ['Wed, 21 Oct 2099 07:28:00 GMT', 2_000],
    ['-1', 2_000],
    ['0', 2_000],
    ['0.5', 500],
    ['86400', 10_000],
    [undefined, 2_000],
  ])('waits where the server says %s', async (retryAfter, ms) => {
    const sent: number[] = []
    const send: typeof fetch = () => {
      if (sent.push(Date.now()) > 9) throw new Error('It is sent again without a pause')
      const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
      return Promise.resolve(new Response(null, sent.length === 1 ? { status: 503, headers } : { status: 200 }))
    }
    const paid = createOfferedRequests().fetch({ fetch: send })
    const response = paid('https://api.example.com/report', { headers: { 'payment-signature': 'a' } })
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await response).status).toBe(200)
    expect(sent).toHaveLength(2)
  })
}
