import type { TransactionInput } from '../model/transaction.js'
import { ScriptError } from './script-error.js'

/** Free units, one below the smallest budget. */
const FREE_UNITS = 9_999
const UNITS_PER_SIGNATURE = 100_000
const UNITS_PER_BUDGET = 10_000

/**
 * The script units that an input may use: those of its signature operations or its compute budget, and the free ones.
 */
export const unitLimit = (
  { sigOpCount, computeBudget = 0 }: Pick<TransactionInput, 'sigOpCount' | 'computeBudget'>,
  version: number,
): number => FREE_UNITS + (version === 0 ? sigOpCount * UNITS_PER_SIGNATURE : computeBudget * UNITS_PER_BUDGET)

/** The largest compute budget. */
const MAX_BUDGET = 0xffff
/** The script units of an input with the largest compute budget. What a call needs follows from those that it uses. */
export const MAX_UNITS = FREE_UNITS + MAX_BUDGET * UNITS_PER_BUDGET

/** The smallest compute budget that covers script units. */
export const budgetOf = (units: number): number => Math.floor(units / UNITS_PER_BUDGET)

/** Meters the execution of an input in script units of 1/100 gram. */
export class ScriptUnits {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Throws `ScriptError` if the limit is exceeded. */
  charge(units: number): void {
    this.#used += units
    if (this.#used > this.#limit)
      throw new ScriptError(
        `script units exceeded the amount committed in the input: used=${this.#used}, limit=${this.#limit}`,
      )
  }

  chargeSignature(): void {
    this.charge(UNITS_PER_SIGNATURE)
  }
}
