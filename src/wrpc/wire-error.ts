/** Errors as the node's RPC server writes them: a number in Borsh, words in JSON. */

/** The kinds of server error, each with its number in Borsh and its words in JSON. */
const KINDS = {
  close: { variant: 0, message: 'close' },
  timeout: { variant: 1, message: 'RPC call timed out' },
  'no-data': { variant: 2, message: 'no data' },
  'not-found': { variant: 3, message: 'RPC method not found' },
  poisoned: { variant: 4, message: 'resource lock error' },
  'not-borsh': { variant: 5, message: 'not a borsh request' },
  'not-serde': { variant: 6, message: 'not a serde request' },
  'request-not-written': { variant: 7, message: 'request serialization error' },
  /** What a node answers to a body that it cannot read: the number of another error, and the words of this one. */
  'unreadable-request': { variant: 9, message: 'request deserialization error' },
} as const satisfies Record<string, { variant: number; message: string }>

/** The variants that carry words of their own; 13 is that of a method that ran and refused. */
const WORDED: readonly number[] = [10, 11, 13, 14]
const TEXT = 13

type ServerErrorKind = keyof typeof KINDS

/** `text` is every application error: the method ran and refused, and `message` holds the node's own words. */
export interface WireError {
  readonly kind: ServerErrorKind | 'text'
  readonly message: string
}

/** The error of a method that ran and refused, in the node's words. */
export const textError = (message: string): WireError => ({ kind: 'text', message })

/** An error of the RPC server itself. */
export const serverError = (kind: ServerErrorKind): WireError => ({ kind, message: KINDS[kind].message })

/** What Borsh calls an error. */
export const variantOf = (error: WireError): number => (error.kind === 'text' ? TEXT : KINDS[error.kind].variant)

/** Whether words follow a variant. */
export const hasWords = (variant: number): boolean => WORDED.includes(variant)

/** The error of a variant without words. */
export function errorOfVariant(variant: number): WireError {
  const known = kinds().find((kind) => KINDS[kind].variant === variant)
  return known === undefined ? textError(`server error ${variant}`) : serverError(known)
}

/** The error that JSON's words stand for. */
export function errorOfMessage(message: string): WireError {
  const known = kinds().find((kind) => KINDS[kind].message === message)
  return known === undefined ? textError(message) : serverError(known)
}

const kinds = (): ServerErrorKind[] => Object.keys(KINDS) as ServerErrorKind[]
