import type { BlockContext } from '../block.js'
import type { Acceptance } from './acceptance.js'

/** The imaginary next block on all tips: what a client sees of the coins is what it would make of them. */
export interface Virtual {
  readonly context: BlockContext
  readonly acceptance: Acceptance
}

/** Whether two blocks have the same parents, and so the same past. */
export function haveSamePast(left: BlockContext, right: BlockContext): boolean {
  return left.parents.length === right.parents.length && left.parents.every((hash) => right.parents.includes(hash))
}
