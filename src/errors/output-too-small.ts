import { ChainError } from './chain-error.js'

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
