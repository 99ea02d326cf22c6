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
  'request-not-serialized': { variant: 7, message: 'request serialization error' },
  'request-not-deserialized': { variant: 8, message: 'request deserialization error' },
  /** What a node answers to a body that it cannot read; in JSON it has the same words as the one before. */
  'unreadable-request': { variant: 9, message: 'request deserialization error' },
} as const satisfies Record<string, { variant: number; message: string }>

export type WireErrorKind = keyof typeof KINDS | 'text'

/** `text` is every application error: the method ran and refused, and `message` holds the node's own words. */
export interface WireError {
  readonly kind: WireErrorKind
  readonly message: string
}

/** The error of a method that ran and refused, in the node's words. */
export const textError = (message: string): WireError => ({ kind: 'text', message })

/** An error of the RPC server itself. */
export const serverError = (kind: keyof typeof KINDS): WireError => ({ kind, message: KINDS[kind].message })
