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
