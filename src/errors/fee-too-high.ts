import { ChainError } from './chain-error.js'

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
