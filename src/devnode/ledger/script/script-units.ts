import type { TransactionInput } from '../../../model/transaction.js'
import { ScriptError } from './script-error.js'

/** Free units, one below the smallest budget. */
const FREE_UNITS = 9_999
const UNITS_PER_SIGNATURE = 100_000
const UNITS_PER_BUDGET = 10_000

/** The execution budget of an input, committed in the transaction, in script units of 1/100 gram. */
export class ScriptUnits {
  readonly #limit: number
  #used = 0

  constructor({ sigOpCount, computeBudget = 0 }: TransactionInput, version: number) {
    this.#limit = FREE_UNITS + (version === 0 ? sigOpCount * UNITS_PER_SIGNATURE : computeBudget * UNITS_PER_BUDGET)
  }

  /** Throws `ScriptError` if the budget is exceeded. */
  charge(units: number): void {
    this.#used += units
    if (this.#used > this.#limit)
      throw new ScriptError(
        `script units exceeded the amount committed in the input: used=${String(this.#used)}, limit=${String(this.#limit)}`,
      )
  }

  chargeSignature(): void {
    this.charge(UNITS_PER_SIGNATURE)
  }
}
