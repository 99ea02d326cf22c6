import type { BlockContext } from '../block.js'
import type { Acceptance } from './acceptance.js'

/** The virtual block: the next block on all tips. Clients see its UTXO set. */
export interface Virtual {
  readonly context: BlockContext
  readonly acceptance: Acceptance
}

/** Whether two blocks have the same parents, and so the same past. */
export function haveSamePast(left: BlockContext, right: BlockContext): boolean {
  return left.parents.length === right.parents.length && left.parents.every((hash) => right.parents.includes(hash))
}
