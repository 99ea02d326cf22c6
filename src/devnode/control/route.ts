import type { DevnodeBase } from '../devnode.js'
import { invalidArgument } from '../../errors/chain-error.js'

/** The input of a route. */
interface RouteInput {
  readonly devnode: DevnodeBase
  readonly body: Body
  readonly query: URLSearchParams
  /** The value of `:name` in the path; empty if the route has none. */
  readonly name: string
}

/** One route of the control endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:name` at the end matches one segment. */
  readonly path: string
  readonly about: string
  /** The JSON of the response, or a promise of it; bigints become strings of digits. */
  readonly run: (input: RouteInput) => unknown
}

/** The response of a route without a result. */
export const done = {}

/** A request's JSON body; each field is validated when it is read. All errors are `ChainError` (`invalid-argument`). */
export type Body = Readonly<Record<string, unknown>>

/** An empty body has no fields. */
export function parseBody(text: string): Body {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  throw invalidArgument('body', 'The body is not a JSON object', 'Send {} or nothing for the defaults.')
}

/** A whole number, 0 or more. */
export function readCount(body: Body, name: string, absent?: number): number {
  const value = body[name] ?? absent
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw invalidField(name, 'a whole number, 0 or more')
}

/** Sompi: a whole number, or its digits as text above 2^53. */
export function readAmount(body: Body, name: string): bigint {
  const value = body[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return BigInt(value)
  if (typeof value === 'string' && /^[1-9]\d{0,19}$/.test(value)) return BigInt(value)
  throw invalidField(name, 'an amount in sompi above 0, as a whole number or as a string of digits')
}

export function readText(body: Body, name: string): string
export function readText(body: Body, name: string, absent: undefined): string | undefined
export function readText(body: Body, name: string, ...absent: [undefined?]): string | undefined {
  const value = body[name]
  if (typeof value === 'string' || (value === undefined && absent.length > 0)) return value
  throw invalidField(name, 'text')
}

/** A list of texts; empty if absent. */
export function readTexts(body: Body, name: string): readonly string[] {
  const value = body[name] ?? []
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw invalidField(name, 'a list of texts')
}

export function readFlag(body: Body, name: string): boolean {
  const value = body[name] ?? false
  if (typeof value === 'boolean') return value
  throw invalidField(name, 'true or false')
}

const invalidField = (name: string, allowed: string) =>
  invalidArgument(name, `The field "${name}" is missing or invalid`, `It is ${allowed}.`)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw invalidArgument('body', `The body is not JSON (${String(cause)})`, 'Send {} or nothing for the defaults.')
  }
}
