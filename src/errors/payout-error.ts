import { ChainError, type ChainErrorOptions } from './chain-error.js'

/** The kinds of `PayoutError`. */
export type PayoutErrorCode =
  | 'id-conflict'
  | 'foreign-debit'
  | 'not-found'
  | 'not-cancellable'
  | 'not-replaceable'
  | 'not-releasable'
  | 'taken-over'
  | 'journal-unavailable'
  | 'schema-newer'
  | 'invalid-argument'

/** The facts of a payout error, beside those of every error. */
export interface PayoutErrorOptions extends ChainErrorOptions<PayoutErrorCode> {
  readonly code: PayoutErrorCode
  /** The ids of the payouts concerned. */
  readonly ids?: readonly string[] | undefined
}

/** An error of a payment queue. What a node replies is none: it is the `lastResponse` of an attempt. */
export class PayoutError extends ChainError<PayoutErrorCode> {
  override readonly name = 'PayoutError'
  /** The ids of the payouts concerned; of `foreign-debit` those that its outputs may have paid. */
  readonly ids: readonly string[]

  constructor(message: string, { ids = [], ...options }: PayoutErrorOptions) {
    super(message, options)
    this.ids = ids
  }
}

/** The connection to the sink has failed. What was written last may be stored or not: the stored position says it. */
export class SessionDropped extends Error {
  override readonly name = 'SessionDropped'

  constructor(cause: unknown) {
    super('The connection to the sink was lost', { cause })
  }
}
