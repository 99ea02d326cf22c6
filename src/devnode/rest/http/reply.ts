import type { HttpResponse } from '../../http.js'

/** A response before serialisation: `body` becomes JSON, `text` is sent unchanged. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown to end a request with an error reply. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super(`Refused with status ${reply.status}`)
  }
}

/** `maxAge` in seconds; the default cache age of the server is 8 s. */
export const ok = (body: unknown, maxAge?: number, headers: Reply['headers'] = {}): Reply => ({
  status: 200,
  body,
  headers: maxAge === undefined ? headers : { ...headers, ...cacheFor(maxAge) },
})

export const text = (body: string): Reply => ({ status: 200, text: body })

/** `detail` is a text or a list of `{ loc, msg, … }`. */
export const refuse = (status: number, detail: unknown, headers?: Reply['headers']): Refusal =>
  new Refusal({ status, body: { detail }, ...(headers && { headers }) })

/** The server's reply to an exception, which has neither CORS nor cache headers. */
export const INTERNAL_ERROR: Reply = { status: 500, body: { message: 'Internal server error' } }

/** For inputs that raise an exception in the server: integers above 64 bits, nonstandard scripts, invalid hex. */
export const internalError = (): Refusal => new Refusal(INTERNAL_ERROR)

export const cacheFor = (seconds: number): Readonly<Record<string, string>> => ({
  'cache-control': `public, max-age=${seconds}`,
})

export function toResponse({ status, body, text: plain, headers }: Reply): HttpResponse {
  if (plain !== undefined)
    return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: plain }
  if (body === undefined) return { status, headers }
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: toJson(body) }
}

/** JSON in which bigints are written as integers. */
function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`).join(',')}}`
}
