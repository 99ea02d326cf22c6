import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { readSecret, sign, verifyWebhook, toBody } from '../../../src/feed/webhook/webhook.js'
import { toStateJson } from '../../../src/feed/payments/payment.js'
import { stateOf } from '../../../src/streams/requests/state.js'

const STATE = stateOf(
  { amount: 5n, tolerance: 0n, confirmations: 10, expiresAt: 2_000 },
  [
    {
      outpoint: { transactionId: 'aa'.repeat(32), index: 1 },
      amount: 7n,
      counterparties: ['kaspasim:payer'],
      seenAfter: 1_000,
      acceptance: { blueScore: 5n, depthBefore: 0n },
    },
  ],
  { tip: 9n, now: 1_500, wasReverted: false, freshness: 'fresh' },
)
const CONTENT = {
  type: 'payment.paid',
  at: 1_790_000_000_123,
  id: 'order 42',
  version: 2,
  network: 'simnet',
  address: 'kaspasim:order',
  amount: 5n,
  metadata: { sku: 'a' },
} as const
const BODY = toBody({ ...CONTENT, state: toStateJson(STATE) })
const secretOf = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`

/** By Node's own HMAC. */
function headersOf(secret: string, { body = BODY, id = 'order%2042/2', at = Date.now() } = {}) {
  const timestamp = String(Math.floor(at / 1_000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'verified',
    (error: unknown) => (error instanceof ChainError ? `${error.code}: ${error.details}` : String(error)),
  )

it('signs as Standard Webhooks', async () => {
  const key = readSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
  expect(await sign(content, key)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

it('resolves to what a webhook says, from headers of Node and of Fetch, text and bytes', async () => {
  const secret = secretOf(32)
  const headers = headersOf(secret)
  const expected = { ...CONTENT, state: STATE }
  expect(await verifyWebhook(headers, BODY, secret)).toEqual(expected)
  expect(await verifyWebhook(new Headers(headers), new TextEncoder().encode(BODY), secret)).toEqual(expected)
})

it('takes either of two secrets, and either of two signatures', async () => {
  const [before, after] = [secretOf(24), secretOf(64)]
  const headers = headersOf(before)
  expect(await reasonOf(verifyWebhook(headers, BODY, [after, before]))).toBe('verified')
  const both = `${headersOf(after)['webhook-signature']} ${headers['webhook-signature']}`
  expect(await reasonOf(verifyWebhook({ ...headers, 'webhook-signature': both }, BODY, before))).toBe('verified')
})

it('rejects what was changed, repeated later, or signed with another secret', async () => {
  const secret = secretOf(32)
  const headers = headersOf(secret)
  const wrong = 'invalid-signature: no signature of the webhook is of the secret'
  expect(await reasonOf(verifyWebhook(headers, BODY.replace('paid', 'seen'), secret))).toBe(wrong)
  expect(await reasonOf(verifyWebhook(headers, BODY, secretOf(32)))).toBe(wrong)
  expect(await reasonOf(verifyWebhook({ ...headers, 'webhook-id': 'order%2043/2' }, BODY, secret))).toBe(wrong)
  const cut = headers['webhook-signature'].slice(0, -1)
  expect(await reasonOf(verifyWebhook({ ...headers, 'webhook-signature': cut }, BODY, secret))).toBe(wrong)
  const late = 'invalid-signature: the time of the webhook is too far from now'
  for (const distance of [-302_000, 302_000]) {
    const at = Date.now() + distance
    expect(await reasonOf(verifyWebhook(headersOf(secret, { at }), BODY, secret))).toBe(late)
    expect(await reasonOf(verifyWebhook(headersOf(secret, { at }), BODY, secret, { tolerance: 400_000 }))).toBe(
      'verified',
    )
  }
  const missing = 'invalid-signature: the headers of a webhook are missing'
  for (const name of Object.keys(headers))
    expect(await reasonOf(verifyWebhook({ ...headers, [name]: undefined }, BODY, secret))).toBe(missing)
  expect(await reasonOf(verifyWebhook({ ...headers, 'webhook-timestamp': '1e3' }, BODY, secret))).toBe(missing)
})

const lasting = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

it.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'no base64!', lasting(23), lasting(65)])(
  'rejects the secret %j without repeating it',
  async (secret) => {
    const failure = await verifyWebhook(headersOf(secretOf(32)), BODY, secret).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'invalid-argument', argument: 'secret' })
    if (secret !== '') expect(JSON.stringify(failure)).not.toContain(secret.replace('whsec_', '') || 'never')
  },
)
