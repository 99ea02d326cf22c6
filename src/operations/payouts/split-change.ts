import { SOMPI_PER_KASPA } from '../../model/amount.js'

/** Change below this costs more than 500 grams of storage mass. */
export const SMALLEST_CHANGE = 20n * SOMPI_PER_KASPA

/** Sompi that further outputs add to the fee, at most. */
const MARGIN = SOMPI_PER_KASPA / 10n

export interface SplitRules {
  /** How many UTXOs the wallet should have. */
  readonly splitTo: number
  /** UTXOs that it has besides the change, confirmed or not. */
  readonly others: number
  /** The amount that the batch pays, sompi. */
  readonly paid: bigint
}

/**
 * The amounts of further outputs of one's own beside the change, so that payments do not wait for each other's change.
 * Each has at least 20 times the batch and 20 KAS. None where the wallet has half of its UTXOs.
 */
export function splitChange(change: bigint, { splitTo, others, paid }: SplitRules): readonly bigint[] {
  if (2 * (others + 1) > splitTo) return []
  const least = 20n * paid > SMALLEST_CHANGE ? 20n * paid : SMALLEST_CHANGE
  const wanted = BigInt(splitTo - others)
  const possible = (change - MARGIN) / least
  const parts = possible < wanted ? possible : wanted
  return parts < 2n ? [] : Array.from({ length: Number(parts) - 1 }, () => (change - MARGIN) / parts)
}
