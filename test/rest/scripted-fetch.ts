/** A sent request. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal
  readonly cache: string | undefined
}

export type Reply = Response | Promise<Response> | ((sent: Sent) => Response | Promise<Response>)

/** A `fetch` that returns each reply once, then repeats the last. */
export interface ScriptedFetch {
  readonly fetcher: typeof fetch
  readonly sent: readonly Sent[]
}

export function scriptFetch(...replies: readonly Reply[]): ScriptedFetch {
  const sent: Sent[] = []
  return {
    sent,
    fetcher: async (input, init = {}) => {
      const signal = init.signal ?? new AbortController().signal
      const { method = 'GET', headers, body, cache } = init
      const url = input instanceof Request ? input.url : input.toString()
      const text = typeof body === 'string' ? body : undefined
      const request = { method, url, headers: new Headers(headers), body: text, signal, cache }
      const reply = replies[Math.min(sent.length, replies.length - 1)]
      sent.push(request)
      const response = typeof reply === 'function' ? reply(request) : reply
      return Promise.race([Promise.resolve(response ?? noResponse()), abortOf(signal)]).then((found) =>
        found.bodyUsed ? found : found.clone(),
      )
    },
  }
}

export function json(body: unknown, { status = 200, headers = {} }: JsonInit = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
}

interface JsonInit {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A request without response. */
export const noResponse = (): Promise<Response> => new Promise<Response>(() => undefined)

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
}
