import { ChainError } from './chain-error.js'
import type { AbortOptions } from './abort-options.js'
import { withDetails } from './shown.js'
import { ChainRpcError } from './rpc-error.js'
import { outcomeOf } from './with-outcome.js'

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

/** The fees of a payment and their bound. */
export interface FeeBounds {
  /** Sompi: the fees of all transactions; of a payment that the UTXOs do not cover, the least that it needs. */
  readonly fee: bigint
  /** Sompi: `maxFee` of the settings, or its default. */
  readonly maxFee: bigint
  /** Sompi per gram: the rate of the node; undefined where the settings define the rate. */
  readonly nodeFeeRate: number | undefined
  /** Sompi per gram: the network's known minimum. */
  readonly knownMinimum: number
}

/** The fees exceed `maxFee`. Nothing was signed or sent. */
export type FeeTooHighError = ChainError<'fee-too-high'> & FeeBounds

export function feeTooHigh(message: string, bounds: FeeBounds, hint: string): FeeTooHighError {
  return Object.assign(new ChainError(message, { code: 'fee-too-high', argument: 'maxFee', hint }), bounds)
}

/** Narrows an error to `FeeTooHighError`. */
export const isFeeTooHigh = (error: unknown): error is FeeTooHighError =>
  error instanceof ChainError && error.code === 'fee-too-high' && 'maxFee' in error

/** The smallest possible output and the storage mass limit. */
export interface OutputLimits {
  /** Sompi: the smallest amount possible for this output, given the other outputs and the candidate UTXOs. */
  readonly smallest: bigint
  /** How many of the outputs, in their order, fit one transaction; 0 where the first one fits none. */
  readonly fits: number
  /** Grams: the storage mass of the rejected plan, and the limit of nodes. */
  readonly storageMass: bigint
  readonly limit: bigint
}

/**
 * An output is too small, or there are too many small ones for one transaction: the storage mass (KIP-9) exceeds the
 * limit of nodes. Nothing was sent.
 */
export type OutputTooSmallError = ChainError<'mass-exceeded'> & OutputLimits

export function outputTooSmall(
  argument: string,
  message: string,
  limits: OutputLimits,
  hint: string,
): OutputTooSmallError {
  return Object.assign(new ChainError(message, { code: 'mass-exceeded', argument, hint }), limits)
}

/** Narrows an error to `OutputTooSmallError`. */
export const isOutputTooSmall = (error: unknown): error is OutputTooSmallError =>
  error instanceof ChainError && error.code === 'mass-exceeded' && 'smallest' in error

/** Progress of a payment of several transactions. */
export interface SubmissionProgress {
  /** Ids of the submitted transactions, in order. */
  readonly submitted: readonly string[]
  /** Ids of the others, in order. The network may have the first one where its `outcome` in `cause` is `unknown`. */
  readonly unsubmitted: readonly string[]
  /**
   * Submits the remaining transactions; resolves to all ids. What may have been sent is looked up by id before it is
   * sent again. `signal` stops further submissions.
   */
  resume(options?: AbortOptions): Promise<readonly string[]>
}

/**
 * A payment of several transactions stopped midway; the reason is in `cause`. `transactionId` is that of the last one,
 * which pays, and `outcome` its outcome: `unsent` where it was not reached, and no other tab or process has the same
 * plan.
 */
export type PartiallySubmittedError = ChainError<'partially-submitted'> & SubmissionProgress

export function partiallySubmitted(cause: unknown, progress: SubmissionProgress): PartiallySubmittedError {
  const { submitted, unsubmitted } = progress
  const total = submitted.length + unsubmitted.length
  const message = withDetails(`The payment stopped after ${submitted.length} of ${total} transactions`, cause)
  const outcome = unsubmitted.length > 1 && !isDuplicate(cause) ? 'unsent' : (outcomeOf(cause) ?? 'unknown')
  const hint =
    outcome === 'unsent'
      ? 'Call resume() to submit the others, or stop here: the submitted ones only compounded your own UTXOs.'
      : 'Call resume(), which looks up what may have been sent before it submits anything. Never plan a new payment in its place.'
  return Object.assign(
    new ChainError(message, { code: 'partially-submitted', cause, hint, outcome, transactionId: unsubmitted.at(-1) }),
    progress,
  )
}

/** Another tab, device or process has made the same plan, and may have sent its last transaction too. */
const isDuplicate = (cause: unknown): boolean => cause instanceof ChainRpcError && cause.reason === 'duplicate'

/** Narrows an error to `PartiallySubmittedError`, which has `resume()`. */
export const isPartiallySubmitted = (error: unknown): error is PartiallySubmittedError =>
  error instanceof ChainError && error.code === 'partially-submitted' && 'resume' in error

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
