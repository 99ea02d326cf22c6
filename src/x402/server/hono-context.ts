import type { ContextPort, ContextSettings } from './context-port.js'
import { readHonoBody } from './hono-body.js'
import type { RequestScope } from './request-scope.js'
import { replacementOf, toStored } from './response.js'

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
