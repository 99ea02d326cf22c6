import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createOrder,
  NOT_FOUND,
  readFile,
  readOrder,
  receiveWebhook,
  refund,
  type Reply,
  type Shop,
} from './actions.js'
import { PRODUCT } from './product.js'

/** Bytes of a request, at most. */
const MAX_BODY = 65_536

const TOO_LARGE: Reply = { status: 413, body: { error: `A body has at most ${MAX_BODY} bytes` } }

/**
 * - `GET /api/shop`: the product, and where the page connects.
 * - `POST /api/orders`: creates an order, whose id cannot be guessed; 429 while too many wait for their payment.
 * - `GET /api/orders/<id>`: its status and its payment request; `…/file` is what was bought.
 * - `POST /api/orders/<id>/refund?to=<address>`: returns a payment, for callers with the token of the shop.
 * - `POST /api/webhook`: where payments report changes.
 *
 * False for every other path.
 */
export function handleApi(request: IncomingMessage, response: ServerResponse, url: URL, shop: Shop): boolean {
  if (!url.pathname.startsWith('/api/')) return false
  respond(request, url, shop).then(
    (reply) => send(response, reply),
    (error: unknown) => {
      console.error(error)
      send(response, { status: 500, body: { error: 'Try again' } })
    },
  )
  return true
}

async function respond(request: IncomingMessage, { pathname, searchParams }: URL, shop: Shop): Promise<Reply> {
  const [, , kind, id = '', part] = pathname.split('/')
  switch ([request.method, kind, id && ':id', part].filter(Boolean).join(' ')) {
    case 'GET shop':
      return { status: 200, body: { name: PRODUCT.name, price: String(PRODUCT.price), chain: shop.chain } }
    case 'POST orders':
      return createOrder(shop, randomUUID())
    case 'GET orders :id':
      return readOrder(shop, id)
    case 'GET orders :id file':
      return readFile(shop, id)
    case 'POST orders :id refund':
      return refund(shop, id, { to: searchParams.get('to') ?? '', authorization: request.headers.authorization })
    case 'POST webhook': {
      const body = await readBody(request)
      return body === null ? TOO_LARGE : receiveWebhook(shop, request.headers, body)
    }
    default:
      return NOT_FOUND
  }
}

/** Null for one that is too large, which is not read to its end. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A text is a file, everything else JSON. */
function send(response: ServerResponse, { status, body }: Reply): void {
  const isFile = typeof body === 'string'
  response.writeHead(status, {
    'content-type': isFile ? 'text/plain; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 429 && { 'retry-after': '60' }),
    ...(status >= 400 && { connection: 'close' }), // the remaining body is not read
    ...(isFile && { 'content-disposition': `attachment; filename="${PRODUCT.fileName}"` }),
  })
  response.end(isFile ? body : `${JSON.stringify(body)}\n`)
}
