import { ChainRestError } from '../../errors/rest-error.js'
import type { Answer, Asked } from '../asking/inquiry.js'
import { toHint, toReason } from './explain.js'
import { parseJson } from './json.js'
import { acceptable, readers, type Made, type ReaderName } from './readers.js'
import { Mismatch, isRecord, readShape, type Shape } from './shape.js'

/**
 * Reads a response to the end. Rejects with `ChainRestError`: `http` for a status that is no success and no answer
 * either, `malformed` for a success that is not what the endpoint promises.
 */
export async function readAnswer<Name extends ReaderName>(
  asked: Asked,
  response: Response,
  name: Name,
): Promise<Answer<Made[Name]>> {
  const { status, headers, ok } = response
  const { body, problem } = parseBody(await response.text(), headers.get('content-type') ?? 'json')
  if (!ok && acceptable[name]?.(status, body) !== true) throw refusal(asked, response, body)
  if (problem !== undefined) throw malformed(asked, status, body, problem)
  try {
    return { value: readBody(name, body, headers), status, headers }
  } catch (cause) {
    throw cause instanceof Mismatch ? malformed(asked, status, body, cause) : cause
  }
}

function readBody<Name extends ReaderName>(name: Name, body: unknown, headers: Headers): Made[Name] {
  const reader: unknown = readers[name]
  if (typeof reader !== 'function') return readShape(reader as Shape<Made[Name]>, body)
  return (reader as (body: unknown, headers: Headers) => Made[Name])(body, headers)
}

interface Parsed {
  readonly body: unknown
  readonly problem?: Error
}

/** The server itself sends JSON and, for a few values, plain text. Whatever else arrives is somebody else's. */
function parseBody(text: string, contentType: string): Parsed {
  if (contentType.includes('text/plain')) return { body: text }
  try {
    return { body: parseJson(text) }
  } catch (problem) {
    // RangeError: nested deeper than the stack is
    if (!(problem instanceof SyntaxError || problem instanceof RangeError)) throw problem
    return { body: text, problem }
  }
}

function malformed(asked: Asked, status: number, body: unknown, cause: Error): ChainRestError {
  const reason = cause instanceof Mismatch ? cause.message : 'the answer is not JSON'
  const hint = 'Check that baseUrl is that of a Kaspa REST server: a proxy may have answered in its place.'
  return new ChainRestError({ ...asked, code: 'malformed', status, body, cause, reason, hint })
}

function refusal(asked: Asked, { status, headers }: Response, body: unknown): ChainRestError {
  const detail = isRecord(body) ? (body.detail ?? body.error ?? body.message) : undefined
  const retryAfter = toDelay(headers.get('retry-after'))
  const explained = { reason: toReason(detail), hint: toHint(status, detail), retryAfter }
  return new ChainRestError({ ...asked, code: 'http', status, body, ...explained })
}

/** `Retry-After` in ms: it is either seconds or a date. What is neither says nothing, though a `Date` reads `-5` as a month. */
function toDelay(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const delay = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) - Date.now() : NaN
  return Number.isNaN(delay) ? undefined : Math.max(delay, 0)
}
