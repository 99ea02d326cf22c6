import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { PGlite } from '@electric-sql/pglite'
import { ChainError, type ChainNetwork, type StoredPaymentRequest } from 'vue-chain/streams'
import type { Payments } from 'vue-chain/feed'
import { verifyWebhook } from 'vue-chain/feed/webhook'
import { countWaiting, insertOrder, readStatus, recordChange } from './orders.js'
import { PRODUCT } from './product.js'

/** What the actions work with. */
export interface Shop {
  readonly payments: Payments
  readonly database: PGlite
  readonly confirmations: number
  /** How many orders may wait for their payment at the same time. */
  readonly maxWaiting: number
  /** Where the page connects: a public node without `url`. */
  readonly chain: { readonly network: ChainNetwork; readonly url?: string }
  /** Of webhooks. */
  readonly secret: string
  /** Of callers that may refund. */
  readonly token: string
}

/** The status of HTTP, and JSON or the text of a file. */
export interface Reply {
  readonly status: number
  readonly body: object | string
}

export const NOT_FOUND: Reply = { status: 404, body: { error: 'Not found' } }

const TOO_MANY: Reply = {
  status: 429,
  body: { error: 'Too many orders wait for their payment: try again in a few minutes' },
}

/** An order as the page has it. */
export interface Order {
  readonly id: string
  readonly status: string
  readonly request: StoredPaymentRequest
}

/**
 * Stores an order with its payment request, or neither. Each takes an address, which is watched from then on, and costs
 * its caller nothing: only so many wait at the same time. One that is not paid expires after 15 minutes.
 */
export async function createOrder(shop: Shop, id: string): Promise<Reply> {
  const { payments, database, confirmations, maxWaiting } = shop
  const settings = { id, amount: PRODUCT.price, confirmations, label: 'Shop', message: PRODUCT.name }
  const created = await database.transaction(async (client) => {
    if ((await countWaiting(client)) >= maxWaiting) return null
    await insertOrder(client, id)
    return payments.create(settings, { client })
  })
  if (created === null) return TOO_MANY
  return { status: 201, body: { id, status: 'waiting', request: created.stored } satisfies Order }
}

export async function readOrder({ payments, database }: Shop, id: string): Promise<Reply> {
  const [status, found] = [await readStatus(database, id), await payments.get(id)]
  if (status === undefined || found === null) return NOT_FOUND
  return { status: 200, body: { id, status, request: found.stored } satisfies Order }
}

/** What was bought, once the payment is confirmed: the server decides on it, never a page. */
export async function readFile({ database }: Shop, id: string): Promise<Reply> {
  const status = await readStatus(database, id)
  if (status === undefined) return NOT_FOUND
  return status === 'confirmed'
    ? { status: 200, body: PRODUCT.content }
    : { status: 402, body: { error: 'The payment is not confirmed' } }
}

interface RefundCall {
  /** An address that the customer has named: that of the payer may be an exchange's. */
  readonly to: string
  readonly authorization: string | undefined
}

/** Returns all that was received; repeated, it is the same refund. */
export async function refund({ payments, token }: Shop, id: string, { to, authorization }: RefundCall): Promise<Reply> {
  if (!isEqual(authorization ?? '', `Bearer ${token}`)) return { status: 401, body: { error: 'Bearer token required' } }
  const found = await payments.get(id)
  if (found === null) return NOT_FOUND
  const [made] = await payments.refunds(id)
  try {
    const refunded = await payments.refund(id, { to, amount: made?.amount ?? found.refundable, number: 1 })
    return { status: 200, body: { to, amount: String(refunded.amount), payoutId: refunded.payoutId } }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return { status: 400, body: { error: error.message, hint: error.hint } }
  }
}

/** Stores what a webhook says, where its signature is right. */
export async function receiveWebhook(
  { database, secret }: Shop,
  headers: IncomingHttpHeaders,
  body: string,
): Promise<Reply> {
  try {
    await recordChange(database, await verifyWebhook(headers, body, secret))
    return { status: 200, body: {} }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return { status: 400, body: { error: error.message } }
  }
}

/** In constant time: how much of a guess was right does not show. */
function isEqual(text: string, other: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
