import { ChainRpcError } from '../errors/rpc-error.js'

/** What stands in a frame is not what the table promises. Thrown by readers, caught where a frame enters the codec. */
export class MalformedFrame extends Error {
  override readonly name = 'MalformedFrame'
}

/** What `read` gives, or the reason why the frame is malformed. Every other error is ours and goes on. */
export function attempt<T>(read: () => T): { readonly value: T } | { readonly malformed: MalformedFrame } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof MalformedFrame) return { malformed: error }
    throw error
  }
}

/** The error of a call, or of a notification by its name, whose frame could not be read. */
export const malformedError = (what: string, cause: MalformedFrame): ChainRpcError =>
  new ChainRpcError(what, cause, {
    code: 'malformed',
    hint: 'The node may be of an unknown version, or something between it and us changes its messages.',
  })
