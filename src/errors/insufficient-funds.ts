import { ChainError } from './chain-error.js'

/** Available and required sums, in sompi. */
export interface FundsSummary {
  /** Mature, unreserved, not bound by a covenant or with `spendBound`, and worth more than the fee of spending it. */
  readonly spendable: bigint
  /** Coinbase within its maturity delay. */
  readonly immature: bigint
  /** Reserved by own pending payments. */
  readonly reserved: bigint
  /** In UTXOs that cost more to spend than they hold. */
  readonly dust: bigint
  /** In outputs of public keys that covenants bind: spendable with `spendBound`. */
  readonly bound: bigint
  /** In entries whose script is not the one that their address encodes. */
  readonly invalid: bigint
  /** In UTXOs that the signer of the payment cannot sign, by its limits. */
  readonly device: bigint
  /** In outputs that no key alone spends, such as those of an account of several signers. */
  readonly script: bigint
  /** Outputs and fees together; more than `spendable`. */
  readonly required: bigint
}

/** The UTXOs do not cover outputs and fees. Nothing was sent. */
export type InsufficientFundsError = ChainError<'insufficient-funds'> &
  FundsSummary & {
    /**
     * The unconfirmed transactions that spend entries of the payment, with the sompi of those entries. Of several that
     * spend the same, such as a payment and its replacement, each has them.
     */
    readonly reservedBy: readonly { readonly transactionId: string; readonly amount: bigint }[]
  }

export function insufficientFunds(
  message: string,
  sums: FundsSummary & Pick<InsufficientFundsError, 'reservedBy'>,
  hint: string,
): InsufficientFundsError {
  return Object.assign(new ChainError(message, { code: 'insufficient-funds', hint }), sums)
}

/** Narrows an error to `InsufficientFundsError`. */
export const isInsufficientFunds = (error: unknown): error is InsufficientFundsError =>
  error instanceof ChainError && error.code === 'insufficient-funds'
