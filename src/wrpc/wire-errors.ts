import { ChainRpcError, droppedBy } from '../errors/rpc-error.js'
import { ChainError } from '../errors/chain-error.js'
import type { ClosedReason } from '../node/port.js'

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

/** Errors of the node's RPC server: a number in Borsh, a message in JSON. */

/** The kinds of server error, with the number in Borsh and the message in JSON. */
const KINDS = {
  close: { variant: 0, message: 'close' },
  timeout: { variant: 1, message: 'RPC call timed out' },
  'no-data': { variant: 2, message: 'no data' },
  'not-found': { variant: 3, message: 'RPC method not found' },
  poisoned: { variant: 4, message: 'resource lock error' },
  'not-borsh': { variant: 5, message: 'not a borsh request' },
  'not-serde': { variant: 6, message: 'not a serde request' },
  'request-not-written': { variant: 7, message: 'request serialization error' },
  /** The reply to a body that cannot be decoded: the number of another error with the message of this one. */
  'unreadable-request': { variant: 9, message: 'request deserialization error' },
} as const satisfies Record<string, { variant: number; message: string }>

/** The variants followed by a message; 13 is an application error. */
const WITH_MESSAGE: readonly number[] = [10, 11, 13, 14]
const TEXT = 13

type ServerErrorKind = keyof typeof KINDS

/** `text` is an application error: the method ran and failed, with the node's message. */
export interface WireError {
  readonly kind: ServerErrorKind | 'text'
  readonly message: string
}

/** An application error with the node's message. */
export const textError = (message: string): WireError => ({ kind: 'text', message })

/** An error of the RPC server itself. */
export const serverError = (kind: ServerErrorKind): WireError => ({ kind, message: KINDS[kind].message })

/** The number of an error in Borsh. */
export const variantOf = (error: WireError): number => (error.kind === 'text' ? TEXT : KINDS[error.kind].variant)

/** Whether a message follows the variant. */
export const hasMessage = (variant: number): boolean => WITH_MESSAGE.includes(variant)

/** The error of a variant without a message. */
export function errorOfVariant(variant: number): WireError {
  const known = kinds().find((kind) => KINDS[kind].variant === variant)
  return known === undefined ? textError(`server error ${variant}`) : serverError(known)
}

/** The error of a JSON message. */
export function errorOfMessage(message: string): WireError {
  const known = kinds().find((kind) => KINDS[kind].message === message)
  return known === undefined ? textError(message) : serverError(known)
}

const kinds = (): ServerErrorKind[] => Object.keys(KINDS) as ServerErrorKind[]

/** The errors of a call. */

/** An error with the node's message; `unsupported` for a method that the node does not serve. */
export const remoteError = (method: string, { kind, message }: WireError): ChainRpcError =>
  new ChainRpcError(method, new ChainError(message), { code: kind === 'not-found' ? 'unsupported' : 'remote' })

export const callTimedOut = (method: string, url: string, timeout: number): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`${url} did not respond within ${timeout} ms`), {
    code: 'timeout',
    hint: UNKNOWN_OUTCOME,
  })

export const responseDropped = (method: string, url: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`${url} sent notifications, and no response: it is lost`), {
    code: 'timeout',
    hint: UNKNOWN_OUTCOME,
  })

export const connectionLost = (method: string, url: string, { code, reason, cause }: ClosedReason): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The connection to ${url} was lost: ${reason}`, { cause }), {
    code: 'connection-lost',
    hint: UNKNOWN_OUTCOME,
    ...droppedBy(code),
  })

/** The request cannot be encoded; nothing was sent. */
export const invalidRequest = (method: string, cause: ChainError): ChainRpcError =>
  new ChainRpcError(method, cause, { code: 'invalid-argument', argument: cause.argument, hint: cause.hint })

const UNKNOWN_OUTCOME = 'The node may have executed the request. Check its state before you call again.'
