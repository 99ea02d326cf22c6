import { pushExplicit, readPush } from './push.js'
import type { ResolvedField } from './resolved-type.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { isEncoding } from './is-encoding.js'
import { decodeFields, encodeFields } from './value-codec.js'

/**
 * The part of a redeem script that holds a state. Throws `ChainError` (`invalid-argument`) with the path of a value.
 */
export function encodeState(fields: readonly ResolvedField[], state: unknown, path = 'state'): Uint8Array<ArrayBuffer> {
  const script: number[] = []
  const sign = (_: string, at: string): never => {
    throw invalidArgument(at, `"${at}" is a signature that is not made yet: a state holds none`)
  }
  for (const part of encodeFields(fields, state, path, 'fixed', sign)) pushExplicit(script, part)
  return Uint8Array.from(script)
}

/** The state in these bytes; undefined where they are not its one encoding. */
export function decodeState(
  fields: readonly ResolvedField[],
  bytes: Uint8Array,
): Readonly<Record<string, unknown>> | undefined {
  const parts = readParts(bytes)
  if (parts === undefined) return undefined
  const remaining = parts.values()
  const state = decodeFields(fields, () => remaining.next().value ?? new Uint8Array(0))
  return isEncoding(bytes, () => encodeState(fields, state)) ? state : undefined
}

function readParts(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const push = readPush(bytes, at)
    if (push === undefined) return undefined
    parts.push(push.data)
    at = push.end
  }
  return parts
}
