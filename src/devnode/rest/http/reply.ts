import type { HttpResponse } from '../../http.js'

/** An answer before it is written: `body` is a value for JSON, `text` is sent as it is. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown where an endpoint cannot be answered as it was asked. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super(`Refused with status ${reply.status}`)
  }
}

/** `maxAge` in seconds. Without it the answer may be kept for 8 s, as everything that says nothing else. */
export const ok = (body: unknown, maxAge?: number, headers: Reply['headers'] = {}): Reply => ({
  status: 200,
  body,
  headers: maxAge === undefined ? headers : { ...headers, ...cacheFor(maxAge) },
})

export const text = (body: string): Reply => ({ status: 200, text: body })

/** A refusal in words, or in a list of `{ loc, msg, … }`. */
export const refuse = (status: number, detail: unknown, headers?: Reply['headers']): Refusal =>
  new Refusal({ status, body: { detail }, ...(headers && { headers }) })

/** What the server says whenever something in it fails. It forgets the CORS headers and the cache control then. */
export const INTERNAL_ERROR: Reply = { status: 500, body: { message: 'Internal server error' } }

/** Fails as the server fails: on integers beyond 64 bits, on scripts it cannot name, on hex that is none. */
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

/** JSON with every integer in digits, however long. */
function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`).join(',')}}`
}
