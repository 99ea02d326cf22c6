import { MalformedFrame } from '../malformed.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object of JSON. Throws `MalformedFrame` where it is none. */
export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedFrame(`A record wanted, not ${typeof value}`)
  }
  return value as JsonObject
}

/** The value as an array of JSON. Throws `MalformedFrame` where it is none. */
export function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new MalformedFrame(`A list wanted, not ${typeof value}`)
  return value
}
