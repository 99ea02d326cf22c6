import { ChainRestError } from '../../errors/rest-error.js'
import type { DecodedResponse, RequestTarget } from '../requests/prepared-request.js'
import {
  toHint,
  toReason,
  acceptsErrorStatus,
  decoders,
  explainsFailure,
  hintsByStatus,
  type Decoded,
  type DecoderName,
} from './decoders.js'
import { CutShort, endsEarly, parseJson } from './json.js'
import { Mismatch, Unexpected, isRecord, decodeShape, type Shape } from './shape.js'

/**
 * Reads and decodes a response. Rejects with `ChainRestError`: `http` for an error status that the endpoint does not
 * accept, `too-large` for a body beyond `maxSize` bytes, `malformed` for one that does not match the endpoint's shape,
 * `unexpected-response` for one that decoder or `verify` reject with `Unexpected`.
 */
export async function decodeResponse<Name extends DecoderName>(
  target: RequestTarget,
  response: Response,
  name: Name,
  { verify, maxSize = Infinity }: ResponseRules<Name> = {},
): Promise<DecodedResponse<Decoded[Name]>> {
  const { status, headers, ok } = response
  const text = await readText(response, maxSize)
  if (text === undefined) throw tooLarge(target, status, maxSize)
  const { body, problem } = parseBody(text, headers.get('content-type') ?? 'json')
  if (!ok && acceptsErrorStatus[name]?.(status, body) !== true) throw httpError(target, response, body, name)
  if (problem !== undefined) throw undecodable(target, status, body, problem)
  const failure = explainsFailure[name]?.(body)
  if (failure !== undefined) throw new ChainRestError({ ...target, ...failure, status, body })
  try {
    const value = decodeBody(name, body, headers)
    verify?.(value)
    return { value, status, headers }
  } catch (cause) {
    throw cause instanceof Mismatch || cause instanceof Unexpected ? undecodable(target, status, body, cause) : cause
  }
}

/** What a response must be like beside its shape. */
export interface ResponseRules<Name extends DecoderName> {
  /** Compares the value with the request. Throws `Unexpected`. */
  readonly verify?: ((value: Decoded[Name]) => void) | undefined
  /** Bytes. */
  readonly maxSize?: number
}

function decodeBody<Name extends DecoderName>(name: Name, body: unknown, headers: Headers): Decoded[Name] {
  const decoder: unknown = decoders[name]
  if (typeof decoder !== 'function') return decodeShape(decoder as Shape<Decoded[Name]>, body)
  return (decoder as (body: unknown, headers: Headers) => Decoded[Name])(body, headers)
}

interface Parsed {
  readonly body: unknown
  readonly problem?: Error
}

/** The server sends JSON and, for a few values, plain text. */
function parseBody(text: string, contentType: string): Parsed {
  if (contentType.includes('text/plain')) return { body: text }
  try {
    return { body: parseJson(text) }
  } catch (problem) {
    // RangeError: nested deeper than the stack allows
    if (!(problem instanceof SyntaxError || problem instanceof RangeError)) throw problem
    return {
      body: text,
      problem: endsEarly(text) ? new CutShort('the response was cut short', { cause: problem }) : problem,
    }
  }
}

function undecodable(target: RequestTarget, status: number, body: unknown, cause: Error): ChainRestError {
  const isOwn = cause instanceof Mismatch || cause instanceof Unexpected || cause instanceof CutShort
  const reason = isOwn ? cause.message : 'the response is not JSON'
  const code = cause instanceof Unexpected ? 'unexpected-response' : 'malformed'
  const hint = 'Check that baseUrl is a Kaspa REST server: the response may come from a proxy.'
  return new ChainRestError({ ...target, code, status, body, cause, reason, hint })
}

function tooLarge(target: RequestTarget, status: number, maxSize: number): ChainRestError {
  const reason = `the body exceeds ${maxSize} bytes`
  const hint = 'Request less at once, or raise the option maxResponseSize. A server does not send so much by itself.'
  return new ChainRestError({ ...target, code: 'too-large', status, reason, hint })
}

function httpError(
  target: RequestTarget,
  { status, headers }: Response,
  body: unknown,
  name: DecoderName,
): ChainRestError {
  const detail = isRecord(body) ? (body.detail ?? body.error ?? body.message) : undefined
  const retryAfter = toDelay(headers.get('retry-after'))
  const explanation = {
    reason: toReason(detail),
    hint: hintsByStatus[name]?.[status] ?? toHint(status, detail),
    retryAfter,
  }
  return new ChainRestError({ ...target, code: 'http', status, body, ...explanation })
}

/**
 * `Retry-After` in ms, given as seconds or a date. Anything else is ignored; `Date.parse` would read `-5` as a month.
 */
function toDelay(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const delay = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) - Date.now() : NaN
  return Number.isNaN(delay) ? undefined : Math.max(delay, 0)
}

/**
 * Reads a body as UTF-8. Undefined if it exceeds `maxSize` bytes after decompression; the remaining bytes are not
 * downloaded then.
 */
async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  // null for an empty body; some runtimes have no streams
  const stream = response.body as Response['body'] | undefined
  if (stream === null || stream === undefined) return limited(await response.text(), maxSize)
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > maxSize) {
      reader.cancel().catch(() => undefined) // the connection has already failed
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

const limited = (text: string, maxSize: number): string | undefined => (text.length > maxSize ? undefined : text)
