import { type ContextPort, type ContextSettings, type RequestScope, replacementOf, toStored } from './request-scope.js'
import { ChainError } from '../../errors/chain-error.js'
import { createExpressContext, type ExpressNext, type ExpressRequest, type ExpressResponse } from './express-context.js'

/** The context of a request in Hono. */
export interface HonoContext {
  readonly req: {
    readonly method: string
    readonly url: string
    /** Cached by Hono, so that handlers read it again. */
    arrayBuffer(): Promise<ArrayBuffer>
  }
  res: Response
}

export type HonoNext = () => Promise<unknown>

/** The middleware for Hono. */
export const createHonoContext =
  (settings: ContextSettings, { scopes, respond }: ContextPort) =>
  async (context: HonoContext, next: HonoNext): Promise<Response | undefined> => {
    const { req } = context
    const body = await readHonoBody(req, settings.maxBody)
    if (body === undefined) return new Response(null, { status: 413 })
    const scope: RequestScope = {
      identity: { request: { method: req.method, url: urlOf(req.url, settings), body } },
      hasHandler: true,
      deadline: undefined,
      outcome: { type: 'none' },
    }
    try {
      await scopes.run(scope, next)
    } catch (error) {
      if (scope.outcome.type === 'serving') await respond(scope.outcome.payment, undefined)
      throw error
    }
    const replacement = replacementOf(scope.outcome)
    if (replacement !== undefined) {
      const headers = replacement.body === undefined ? new Headers(context.res.headers) : new Headers()
      for (const [name, value] of Object.entries(replacement.headers)) headers.set(name, value)
      const replaced = new Response(replacement.body === undefined ? null : new Uint8Array(replacement.body), {
        status: replacement.status,
        headers,
      })
      setResponse(context, replaced)
    } else if (scope.outcome.type === 'serving') {
      const sent = new Uint8Array(await context.res.clone().arrayBuffer())
      await respond(scope.outcome.payment, toStored(context.res.status, context.res.headers.entries(), sent))
    }
    return undefined
  }

function urlOf(url: string, { origin }: ContextSettings): string {
  if (origin === undefined) return url
  const { pathname, search } = new URL(url)
  return `${origin}${pathname}${search}`
}

/** Hono merges the headers of the response before, unless that is taken away first. */
function setResponse(context: HonoContext, response: Response): void {
  Object.assign(context, { res: undefined })
  context.res = response
}

/** A request of Hono, as far as it is read here. */
interface HonoRequest {
  readonly method: string
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The body of a request in Hono, which handlers read again. Undefined where it has more than `max` bytes. */
async function readHonoBody(req: HonoRequest, max: number): Promise<Uint8Array | undefined> {
  if (req.method === 'GET' || req.method === 'HEAD') return new Uint8Array()
  if (!hasStream(req)) return limited(await req.arrayBuffer(), max)
  const { headers } = req.raw
  if (Number(headers.get('content-length') ?? 0) > max) return undefined
  const isMeasured = headers.has('content-length') && !headers.has('transfer-encoding')
  if (isMeasured) return limited(await req.arrayBuffer(), max)
  const body = await readChunks(req.raw.body, max)
  if (body !== undefined) Object.assign(req, { raw: new Request(req.raw, { body: new Uint8Array(body) }) })
  return body
}

/** Hono keeps the request of Fetch, and replaces it where a body was read. */
interface Streamed {
  readonly raw: Request & { readonly body: ReadableStream<Uint8Array> }
}

/** Of a body that nothing has read yet: what other middleware has read is cached. */
const hasStream = (req: object): req is Streamed =>
  'raw' in req && req.raw instanceof Request && req.raw.body !== null && !req.raw.bodyUsed

const limited = (body: ArrayBuffer, max: number): Uint8Array | undefined =>
  body.byteLength > max ? undefined : new Uint8Array(body)

/** A client could send without end: what exceeds the limit is not received. */
async function readChunks(stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    length += value.length
    if (length > max) {
      reader.cancel().catch(() => undefined) // the connection has already failed
      return undefined
    }
    chunks.push(new Uint8Array(value))
  }
}

export interface ContextOptions {
  /**
   * The origin under which clients reach this server, such as `https://api.example.com`. Set it wherever a stranger can
   * choose the `Host` header: a payment for another host would be accepted otherwise. @default that of the request
   */
  readonly origin?: string | undefined
  /** Bytes of a request's body, at most; larger ones get 413. @default 1_048_576 */
  readonly maxBody?: number | undefined
}

/** For `app.use` of Express, and of Hono. */
export interface X402Middleware {
  (request: ExpressRequest, response: ExpressResponse, next: ExpressNext): Promise<undefined>
  (context: HonoContext, next: HonoNext): Promise<Response | undefined>
}

/**
 * The one middleware for both: Express calls with three arguments, Hono with two. Throws `ChainError` (`unsupported`)
 * where the runtime has no asynchronous contexts.
 */
export function createContext(options: ContextOptions, port: ContextPort): X402Middleware {
  if (!port.scopes.isAsync)
    throw new ChainError('context() needs asynchronous contexts', {
      code: 'unsupported',
      hint: 'Run it on Node 20.16 or later, or on a runtime with node:async_hooks. bind() works everywhere.',
    })
  const { origin, maxBody = 1_048_576 } = options
  const settings = { origin: origin === undefined ? undefined : new URL(origin).origin, maxBody }
  const [express, hono] = [createExpressContext(settings, port), createHonoContext(settings, port)]
  function middleware(request: ExpressRequest, response: ExpressResponse, next: ExpressNext): Promise<undefined>
  function middleware(context: HonoContext, next: HonoNext): Promise<Response | undefined>
  function middleware(...given: readonly unknown[]): Promise<Response | undefined> {
    if (given.length === 2) return hono(given[0] as HonoContext, given[1] as HonoNext) // as Hono calls it
    return express(given[0] as ExpressRequest, given[1] as ExpressResponse, given[2] as ExpressNext)
  }
  return middleware
}
