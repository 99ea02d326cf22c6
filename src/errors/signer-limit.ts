import { ChainError } from './chain-error.js'

/** A setting does not fit what the signer can sign. Nothing was signed, and nothing reached the device. */
export type SignerLimitError = ChainError<'unsupported'> & {
  /** The name of the limit of the signer. */
  readonly limit: string
}

export const signerLimit = (limit: string, argument: string, message: string, hint: string): SignerLimitError =>
  Object.assign(new ChainError(message, { code: 'unsupported', argument, hint }), { limit })

/** Narrows an error to `SignerLimitError`. */
export const isSignerLimit = (error: unknown): error is SignerLimitError =>
  error instanceof ChainError && error.code === 'unsupported' && 'limit' in error
