import type { IncomingMessage, ServerResponse } from 'node:http'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { isHex } from '../../model/hex.js'
import { requestRefusal } from '../../model/request-check.js'
import { isRecord } from '../../model/lossless-json.js'
import type { ChainLogger } from '../../platform/port.js'
import type { KaspaFacilitator } from '../../x402/server/facilitator.js'
import { x402ToPrometheus } from '../../x402/server/metrics.js'
import { readJson } from '../payments/request-json.js'
import { serveHttp, type HttpServer } from '../run-service.js'

export interface FacilitatorServerOptions {
  readonly x402: Pick<KaspaFacilitator, 'verify' | 'settle' | 'getSupported' | 'bind' | 'metrics'>
  readonly host: string
  readonly port: number
  readonly token: string
  readonly logger: ChainLogger
}

/** Bytes of a request, at most: a payment and its offer. */
const MAX_BODY = 131_072

/** Serves the endpoints of a facilitator to callers with the token. Rejects as `serveHttp` does. */
export const serveFacilitator = (options: FacilitatorServerOptions): Promise<HttpServer> =>
  serveHttp(options, (request, response) => {
    handle(request, response, options).catch((error: unknown) => {
      if (!(error instanceof ChainError)) options.logger.warn('A request failed', { error })
      const isArgument = error instanceof ChainError && error.code === 'invalid-argument'
      const message = isArgument ? error.message : 'The request cannot be served at the moment: try again'
      if (!response.headersSent) send(response, isArgument ? 400 : 503, { error: { message } })
      else response.destroy()
    })
  })

const METHODS: Readonly<Record<string, readonly string[]>> = {
  '/supported': ['GET'],
  '/metrics': ['GET'],
  '/verify': ['POST'],
  '/settle': ['POST'],
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { x402, host, token }: FacilitatorServerOptions,
): Promise<void> {
  const [pathname = '/'] = (request.url ?? '/').split('?') // which need not be one of a URL
  if (pathname === '/healthz') {
    send(response, 200, { isServing: true })
    return
  }
  const methods = METHODS[pathname]
  if (methods === undefined) {
    send(response, 404, { error: { message: 'Not found: see /supported, /verify and /settle' } })
    return
  }
  // behind a proxy; the token keeps others out
  const refusal = requestRefusal(request, { host, anyHost: true, methods, contentType: 'application/json', token })
  if (refusal !== undefined) send(response, refusal.status, { error: { message: refusal.reason } })
  else if (pathname === '/supported') send(response, 200, await x402.getSupported())
  else if (pathname === '/metrics')
    response
      .writeHead(200, { ...HEADERS, 'content-type': 'text/plain; version=0.0.4' })
      .end(x402ToPrometheus(x402.metrics()))
  else {
    const { payload, requirements, requestHash } = readCall(await readJson(request, MAX_BODY))
    const work = pathname === '/verify' ? 'verify' : 'settle'
    send(response, 200, await x402.bind({ requestHash }, () => x402[work](payload, requirements)))
  }
}

/**
 * The caller computes `requestHash` from the request that it got: one that is read from the payment proves nothing.
 * Throws `ChainError` (`invalid-argument`).
 */
function readCall({ paymentPayload, paymentRequirements, requestHash }: Record<string, unknown>) {
  if (!isRecord(paymentPayload)) throw invalidArgument('paymentPayload', '"paymentPayload" is no record')
  if (!isRecord(paymentRequirements) || !isRecord(paymentRequirements.extra))
    throw invalidArgument('paymentRequirements', '"paymentRequirements" is no record with "extra"')
  if (typeof paymentRequirements.maxTimeoutSeconds !== 'number' || typeof paymentRequirements.amount !== 'string')
    throw invalidArgument('paymentRequirements', '"paymentRequirements" has no amount or no maxTimeoutSeconds')
  if (!isHex(requestHash, 32))
    throw invalidArgument('requestHash', '"requestHash" is no hash of 32 bytes', 'Compute it from the request you got.')
  // both are checked by `checkPayment`
  return {
    payload: paymentPayload as unknown as SettleParameters[0],
    requirements: paymentRequirements as unknown as SettleParameters[1],
    requestHash,
  }
}

type SettleParameters = Parameters<KaspaFacilitator['settle']>

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
