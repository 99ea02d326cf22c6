import { MalformedFrame } from '../malformed.js'
import type { Frame } from '../codec.js'
import { parseJson, toBigInt } from './numbers.js'
import { asObject, type JsonObject } from './values.js'

/** What every message of JSON is wrapped in. */
export interface Envelope {
  /** Undefined where there is none: a notification, or a request that nobody waits for. */
  readonly id: bigint | undefined
  readonly content: JsonObject
}

/** An id in front: cut out of the text, so that its length does not make the whole message be read the long way. */
const LEADING_ID = /^\s*\{\s*"id"\s*:\s*(\d{1,20})(?=\s*[,}])/

const MAX_ID = 2n ** 64n - 1n

/** Opens a message, whichever kind of WebSocket message brought it. Throws `MalformedFrame` where it is no JSON record. */
export function openEnvelope(frame: Frame): Envelope {
  const text = typeof frame === 'string' ? frame : toText(frame)
  const [leading, digits] = LEADING_ID.exec(text) ?? ['', undefined]
  const content = asObject(parseJson(text, leading.length))
  const given = digits ?? content.id
  if (given === undefined || given === null) return { id: undefined, content }
  return { id: typeof digits === 'string' ? withinBounds(BigInt(digits)) : toBigInt(given, 0n, MAX_ID), content }
}

function withinBounds(id: bigint): bigint {
  if (id > MAX_ID) throw new MalformedFrame('An id of more than 64 bits')
  return id
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new MalformedFrame('This is no UTF-8', { cause: error })
    throw error
  }
}
