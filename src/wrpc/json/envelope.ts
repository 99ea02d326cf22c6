import { MalformedFrame } from '../malformed.js'
import type { Frame } from '../codec.js'
import { parseJson, toBigInt } from './numbers.js'
import { asObject, type JsonObject } from './values.js'

/** The envelope of every JSON message. */
export interface Envelope {
  /** Undefined for a notification, or a request without an id. */
  readonly id: bigint | undefined
  readonly content: JsonObject
}

/** A leading id is parsed apart, so that its many digits do not trigger the slow parse of the whole message. */
const LEADING_ID = /^\s*\{\s*"id"\s*:\s*(\d{1,20})(?=\s*[,}])/

const MAX_ID = 2n ** 64n - 1n

/** A message of a client, or a response of a node. */
export function writeEnvelope(id: bigint, method: string | undefined, content: string): string {
  const named = method === undefined ? '' : `"method":${JSON.stringify(method)},`
  return `{"id":${id},${named}${content}}`
}

/** Parses the envelope of a text or binary message. Throws `MalformedFrame` if it is no JSON record. */
export function openEnvelope(frame: Frame): Envelope {
  const text = typeof frame === 'string' ? frame : toText(frame)
  const [leading, digits] = LEADING_ID.exec(text) ?? ['', undefined]
  const content = asObject(parseJson(text, leading.length))
  const given = digits ?? content.id
  if (given === undefined || given === null) return { id: undefined, content }
  return { id: typeof digits === 'string' ? withinBounds(BigInt(digits)) : toBigInt(given, 0n, MAX_ID), content }
}

function withinBounds(id: bigint): bigint {
  if (id > MAX_ID) throw new MalformedFrame('The id exceeds 64 bits')
  return id
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new MalformedFrame('Not UTF-8', { cause: error })
    throw error
  }
}
