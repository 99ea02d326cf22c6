import { ChainRestError } from '../../errors/rest-error.js'
import type { RestSettings } from '../options.js'
import { keepAnswer, type Kept } from './freshness.js'
import type { Gate } from './gate.js'
import type { Answer, Asked, Inquiry } from './inquiry.js'

/** Asks the server once. `pastCaches` goes round every HTTP cache on the way. Rejects with `ChainRestError`. */
export type Send = <T>(inquiry: Inquiry<T>, signal: AbortSignal, pastCaches: boolean) => Promise<Kept<T>>

/** Requests take their turn at `gate`, which all clients of the server share. */
export function createSend(settings: RestSettings, request: typeof fetch, gate: Gate): Send {
  return async (inquiry, signal, pastCaches) => {
    const init: RequestInit = {
      method: inquiry.method,
      headers: toHeaders(settings, inquiry),
      body: inquiry.body ?? null,
      signal,
      // a key among our headers must not follow a redirect to somebody else
      redirect: settings.headers === undefined ? 'follow' : 'error',
      cache: pastCaches ? 'no-store' : 'default',
    }
    const answer = await gate(settings.concurrency, signal, () => exchange(settings.baseUrl, inquiry, request, init))
    return keepAnswer(answer, inquiry.keep, inquiry.isSettled(answer.value))
  }
}

async function exchange<T>(
  baseUrl: string,
  inquiry: Inquiry<T>,
  request: typeof fetch,
  init: RequestInit,
): Promise<Answer<T>> {
  const asked: Asked = { method: inquiry.method, url: baseUrl + inquiry.path }
  try {
    return await inquiry.read(asked, await request(asked.url, init))
  } catch (cause) {
    if (cause instanceof ChainRestError) throw cause
    // the server leaves the CORS headers out of its internal errors, so that a browser shows no status
    const hint = 'Check baseUrl and the network. In a browser, an internal error of the server looks like this too.'
    throw new ChainRestError({ ...asked, code: 'network', cause, hint })
  }
}

function toHeaders<T>({ headers }: RestSettings, { body }: Inquiry<T>): Headers {
  const all = new Headers(headers)
  if (body !== undefined) all.set('content-type', 'application/json')
  return all
}
