import { ChainRpcError } from '../errors/rpc-error.js'

/** A frame does not match the table. Thrown by the readers, caught by the codec. */
export class MalformedFrame extends Error {
  override readonly name = 'MalformedFrame'
}

/**
 * The result of `read`, or its `MalformedFrame`. A `RangeError` of the runtime (a text above its longest string) is one
 * too. Other errors propagate.
 */
export function attempt<T>(read: () => T): { readonly value: T } | { readonly malformed: MalformedFrame } {
  try {
    return { value: read() }
  } catch (error) {
    const malformed = toMalformed(error)
    if (malformed === undefined) throw error
    return { malformed }
  }
}

function toMalformed(error: unknown): MalformedFrame | undefined {
  if (error instanceof MalformedFrame) return error
  return error instanceof RangeError ? new MalformedFrame('Too long', { cause: error }) : undefined
}

/** The error of a call whose response was decoded after its frame was handled; another error stays as it is. */
export function decodingError(method: string, error: unknown): unknown {
  const malformed = toMalformed(error)
  return malformed === undefined ? error : malformedError(method, malformed)
}

/** The error of a call or a notification whose frame could not be decoded. */
export const malformedError = (what: string, cause: MalformedFrame): ChainRpcError =>
  new ChainRpcError(what, cause, {
    code: 'malformed',
    hint: 'The node may have an unsupported version, or a proxy may modify its messages.',
  })
