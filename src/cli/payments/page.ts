import { toAmountText } from '../../model/amount.js'
import { toQrCode } from '../../streams/requests/qr-code.js'
import { toQrText } from '../../streams/requests/page-request.js'
import type { PageState } from './to-json.js'

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
