import { ChainError } from '../../errors/chain-error.js'
import type { ContextPort } from './context-port.js'
import { createExpressContext, type ExpressNext, type ExpressRequest, type ExpressResponse } from './express-context.js'
import { createHonoContext, type HonoContext, type HonoNext } from './hono-context.js'

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
