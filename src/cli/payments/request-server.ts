import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ChainError } from '../../errors/chain-error.js'
import type { Payments } from '../../feed/payments/create-payments.js'
import { isEqualText, requestRefusal } from '../../model/request-check.js'
import type { ChainLogger } from '../../platform/port.js'
import { serveHttp, type HttpServer } from '../run-service.js'
import { readSettings, toListOptions, toJson, toPageState, type PageState } from './request-json.js'
import { toAmountText } from '../../model/amount.js'
import { toQrCode } from '../../streams/requests/qr-code.js'
import { toQrText } from '../../streams/requests/page-request.js'

interface RequestServerOptions {
  readonly payments: Pick<Payments, 'create' | 'get' | 'list'>
  readonly host: string
  readonly port: number
  readonly token: string
  /** Of requests that name none. */
  readonly confirmations: number
  readonly logger: ChainLogger
}

/**
 * Serves `/v1/requests` to callers with the token, and a page to pay for each request, whose path they get with it.
 * Rejects with `ChainError` (`invalid-option`) where the port is taken, or the host is none of this machine.
 */
export function serveRequests(options: RequestServerOptions): Promise<HttpServer> {
  return serveHttp(options, (request, response) => {
    handle(request, response, options).catch((error: unknown) => {
      const { status, body } = toFailure(error)
      if (status >= 500) options.logger.warn('A request failed', { error })
      if (!response.headersSent) send(response, status, body)
      else response.destroy()
    })
  })
}

async function handle(request: IncomingMessage, response: ServerResponse, options: RequestServerOptions) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [, first, ...path] = pathname.split('/').map(decode)
  if (first === 'pay') await sendPage(response, path, searchParams, options)
  else if (first === 'v1' && path[0] === 'requests' && path.length <= 2)
    await sendApi(request, response, { id: path[1], searchParams }, options)
  else send(response, 404, { error: { message: 'Not found: see /v1/requests' } })
}

interface ApiPath {
  readonly id: string | undefined
  readonly searchParams: URLSearchParams
}

async function sendApi(
  request: IncomingMessage,
  response: ServerResponse,
  { id, searchParams }: ApiPath,
  { payments, token, host, confirmations }: RequestServerOptions,
): Promise<void> {
  const refusal = requestRefusal(request, {
    host,
    anyHost: true, // behind a proxy; the token keeps others out
    methods: id === undefined ? ['GET', 'POST'] : ['GET'],
    contentType: 'application/json',
    token,
  })
  if (refusal !== undefined) {
    send(response, refusal.status, { error: { message: refusal.reason } })
  } else if (request.method === 'POST') {
    const record = await payments.create(await readSettings(request, confirmations))
    send(response, 200, toJson(record, pathOf(record.id, token)))
  } else if (id === undefined) {
    const records = await payments.list(toListOptions(searchParams))
    send(response, 200, { requests: records.map((record) => toJson(record, pathOf(record.id, token))) })
  } else {
    const record = await payments.get(id)
    if (record === null) send(response, 404, { error: { message: 'There is no such request' } })
    else send(response, 200, toJson(record, pathOf(id, token)))
  }
}

/** The page of a request, and its state for the script of the page. */
async function sendPage(
  response: ServerResponse,
  [id = '', part, ...more]: readonly string[],
  search: URLSearchParams,
  { payments, token }: RequestServerOptions,
): Promise<void> {
  const isKnown = isEqualText(search.get('key') ?? '', keyOf(id, token)) && more.length === 0
  const record = isKnown && (part === undefined || part === 'state') ? await payments.get(id) : null
  if (record === null) {
    send(response, 404, { error: { message: 'There is no such page' } })
    return
  }
  const state = toPageState(record)
  if (part === 'state') {
    send(response, 200, { ...state, text: describe(state) })
    return
  }
  const nonce = randomBytes(16).toString('base64')
  response.writeHead(200, {
    ...HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  })
  response.end(toPage(state, nonce))
}

/** The key of a page: ids of orders can be guessed. */
const keyOf = (id: string, token: string): string =>
  createHmac('sha256', token).update(`page of ${id}`).digest('base64url').slice(0, 22)

const pathOf = (id: string, token: string): string => `/pay/${encodeURIComponent(id)}?key=${keyOf(id, token)}`

/** What is not escaped as URLs are is no part of a path. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return ''
    throw error
  }
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)

/** 400 for what the caller can mend; 503 for a node or database that cannot be reached, without its words. */
function toFailure(error: unknown): { readonly status: number; readonly body: object } {
  if (error instanceof ChainError && error.code === 'invalid-argument') {
    const { message, argument, hint } = error
    return { status: 400, body: { error: { code: 'invalid-argument', message, argument, hint } } }
  }
  return { status: 503, body: { error: { message: 'The request cannot be served at the moment: try again' } } }
}

/** The texts of a status. */
const TEXTS: Readonly<Record<PageState['status'], string>> = {
  waiting: 'Waiting for your payment',
  seen: 'Your payment was seen',
  'partly-paid': 'A part is missing',
  paid: 'Paid, waiting for confirmations',
  confirmed: 'Paid',
  expired: 'Expired: contact the shop before you pay',
}

/** What the page says; without a connection to the node it says so, and not that nothing was paid. */
export function describe({ status, freshness, isLate, missing, network }: PageState): string {
  if (freshness !== 'fresh' && (status === 'waiting' || status === 'expired'))
    return 'No connection to the network: the payment cannot be seen at the moment'
  if (status === 'partly-paid') return `${TEXTS[status]}: ${toAmountText(BigInt(missing), network)}`
  return isLate && (status === 'paid' || status === 'confirmed') ? `${TEXTS[status]}, late` : TEXTS[status]
}

/** The page of a request: without files of others, and readable without its script. `nonce` is that of the policy. */
export function toPage(state: PageState, nonce: string): string {
  const amount = toAmountText(BigInt(state.amount), state.network)
  const title = state.label ?? 'Payment'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${state.message === null ? '' : `<p>${escapeHtml(state.message)}</p>`}
<p class="amount">${amount}</p>
<div class="qr" role="img" aria-label="Payment of ${amount} to ${state.address}">${toSvg(state)}</div>
<p class="address">${state.address}</p>
<p><a href="${escapeHtml(state.uri)}">Open in wallet</a></p>
<p id="status" role="status">${escapeHtml(describe(state))}</p>
<noscript><p>Reload the page to see whether the payment has arrived.</p></noscript>
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`
}

/** The code of the payment link, whose texts are cut where it would be hard to scan. */
function toSvg({ address, amount, label, message }: PageState): string {
  const texts = { label: label ?? undefined, message: message ?? undefined }
  const { size, path } = toQrCode(toQrText({ address, amount: BigInt(amount), ...texts }))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: center; min-height: 100vh }
main { max-width: 24rem; padding: 1rem; text-align: center }
.amount { font-size: 2rem; margin: 0 }
.qr svg { width: 100%; max-width: 18rem; height: auto; background: #fff }
.address { overflow-wrap: anywhere; font-family: ui-monospace, monospace }
#status { font-weight: 600 }`

/** Replaces the text when it has changed: a screen reader says each once. */
const SCRIPT = `
const text = document.getElementById('status')
const url = location.pathname + '/state' + location.search
async function look() {
  let next = 'No connection to the shop'
  try {
    const response = await fetch(url)
    if (response.ok) next = (await response.json()).text
  } catch {} // no connection: said by next
  if (next !== text.textContent) text.textContent = next
  setTimeout(look, document.hidden ? 10000 : 1000)
}
look()`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
