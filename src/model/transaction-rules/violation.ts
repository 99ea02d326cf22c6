/** The node's error message for a violated rule; undefined if all rules are met. */
export type Violation = string | undefined

/** The first violation. Later checks do not run, so the order of checks decides which error is reported. */
export function firstViolation(checks: Iterable<() => Violation>): Violation {
  for (const check of checks) {
    const violation = check()
    if (violation !== undefined) return violation
  }
  return undefined
}

/** An outpoint as written in error messages of the node. */
export const formatOutpoint = ({ transactionId, index }: { transactionId: string; index: number }): string =>
  `(${transactionId}, ${String(index)})`
