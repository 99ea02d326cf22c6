import { ChainError } from './chain-error.js'

/** What was there and what it would have taken, in sompi. */
export interface FundsSums {
  /** What could have been spent: mature, unreserved, unbound, and worth more than spending it costs. */
  readonly spendable: bigint
  /** Coinbase that is not ripe yet. */
  readonly immature: bigint
  /** What other payments of ours, still under way, have taken. */
  readonly reserved: bigint
  /** In coins that cost more to spend than they hold. */
  readonly dust: bigint
  /** Outputs and fees together; more than `spendable`. */
  readonly required: bigint
}

/** Too little to pay with. Nothing was sent. */
export type InsufficientFundsError = ChainError<'insufficient-funds'> & FundsSums

export function insufficientFunds(message: string, sums: FundsSums, hint: string): InsufficientFundsError {
  return Object.assign(new ChainError(message, { code: 'insufficient-funds', hint }), sums)
}

/** Whether an error says that there is too little to pay with, and how much. */
export const isInsufficientFunds = (error: unknown): error is InsufficientFundsError =>
  error instanceof ChainError && error.code === 'insufficient-funds'
