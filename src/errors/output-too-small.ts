import { ChainError } from './chain-error.js'

/** How small an output was, and how small it may be. */
export interface OutputLimits {
  /** Sompi: the least that this output could have held, beside the others and with these coins, or larger ones if it takes them. */
  readonly smallest: bigint
  /** Grams of storage mass that the transaction would have had, and the most that nodes take. */
  readonly storageMass: bigint
  readonly limit: bigint
}

/** An output is so small that no node takes the transaction (KIP-9: the storage mass of small outputs). Nothing was sent. */
export type OutputTooSmallError = ChainError<'mass-exceeded'> & OutputLimits

export function outputTooSmall(
  argument: string,
  message: string,
  limits: OutputLimits,
  hint: string,
): OutputTooSmallError {
  return Object.assign(new ChainError(message, { code: 'mass-exceeded', argument, hint }), limits)
}

/** Whether an error says that an output is too small, and what the smallest is. */
export const isOutputTooSmall = (error: unknown): error is OutputTooSmallError =>
  error instanceof ChainError && error.code === 'mass-exceeded' && 'smallest' in error
