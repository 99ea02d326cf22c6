import { MalformedFrame } from '../malformed.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** The value as a JSON object. Throws `MalformedFrame` if it is none. */
export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedFrame(`Expected a record, not ${typeof value}`)
  }
  return value as JsonObject
}

/** The value as a JSON array. Throws `MalformedFrame` if it is none. */
export function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new MalformedFrame(`Expected a list, not ${typeof value}`)
  return value
}
