import { sleep } from '../../loading/abortable.js'
import { fromBase64, toBase64 } from '../../model/base64.js'
import { isRecord } from '../../model/lossless-json.js'
import type { BoundRequest } from '../binding/binding.js'

/** The request that got a 402, for the payment that follows. */
export interface OfferedRequest extends BoundRequest {
  /** Of the header `Idempotency-Key`: two equal requests with different keys are two purchases. */
  readonly idempotencyKey: string
}

/** The field of a decoded 402 by which its request is found; it is not sent. */
const MARK = 'vueChainRequest'

/** Requests whose payment is not planned yet, at most. */
const MAX_OPEN = 1_000

export interface PaidFetchOptions {
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How long, in ms, a payment that the server has not settled yet is presented again. @default 120_000 */
  readonly repeatFor?: number | undefined
}

export interface OfferedRequests {
  /** A `fetch` for `wrapFetchWithPayment`. */
  readonly fetch: (options?: PaidFetchOptions) => typeof globalThis.fetch
  /** The request of an offer; undefined where another `fetch` was used. */
  readonly take: (paymentRequired: unknown) => OfferedRequest | undefined
}

/**
 * Requests by the offers that they got: the upstream client passes a scheme neither method nor body. The same requests
 * with a payment are repeated byte for byte while the server says 503 or no response comes.
 */
export function createOfferedRequests(): OfferedRequests {
  const requests = new Map<string, OfferedRequest>()
  let count = 0
  return {
    fetch:
      (options = {}) =>
      async (input, init) => {
        const request = new Request(input, init)
        const send = options.fetch ?? globalThis.fetch
        if (request.headers.has('payment-signature')) return repeat(request, send, options.repeatFor ?? 120_000)
        const body = request.body === null ? undefined : new Uint8Array(await request.clone().arrayBuffer())
        const { method, url, headers } = request
        const response = await send(request)
        const offer = response.headers.get('payment-required')
        if (response.status !== 402 || offer === null) return response
        const mark = String(++count)
        requests.set(mark, { method, url, body, idempotencyKey: headers.get('idempotency-key') ?? '' })
        for (const [oldest] of requests) if (requests.size > MAX_OPEN) requests.delete(oldest)
        return withMark(response, offer, mark)
      },
    take(paymentRequired) {
      const mark = isRecord(paymentRequired) ? paymentRequired[MARK] : undefined
      if (typeof mark !== 'string') return undefined
      const request = requests.get(mark)
      requests.delete(mark)
      return request
    },
  }
}

/** A response that other code sees as it was, but for the mark. */
async function withMark(response: Response, offer: string, mark: string): Promise<Response> {
  const decoded = parseOffer(offer)
  if (decoded === undefined) return response
  const headers = new Headers(response.headers)
  const text = JSON.stringify({ ...decoded, [MARK]: mark })
  headers.set('payment-required', toBase64(new TextEncoder().encode(text)))
  return new Response(await response.arrayBuffer(), { status: response.status, headers })
}

function parseOffer(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64(text)))
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return undefined
    throw error
  }
}

/** Nothing is paid twice by it: the server knows the payment by its transaction. */
async function repeat(request: Request, send: typeof globalThis.fetch, limit: number): Promise<Response> {
  const end = performance.now() + limit
  for (let attempt = 0; ; attempt++) {
    const last = performance.now() >= end
    try {
      const response = await send(request.clone())
      if (response.status !== 503 || last) return response
      await sleep(1_000 * pauseOf(response), request.signal)
    } catch (error) {
      request.signal.throwIfAborted()
      if (last || !(error instanceof TypeError)) throw error // `fetch` rejects so without a response
      await sleep(Math.min(10_000, 100 * 2 ** attempt), request.signal)
    }
    request.signal.throwIfAborted()
  }
}

/** Seconds until a payment is presented again. The header may also be a date, or hostile. */
function pauseOf({ headers }: Response): number {
  const stated = Number(headers.get('retry-after') ?? DEFAULT_PAUSE)
  return Math.min(10, stated > 0 ? Math.max(SHORTEST_PAUSE, stated) : DEFAULT_PAUSE)
}

const [DEFAULT_PAUSE, SHORTEST_PAUSE] = [2, 0.1]
