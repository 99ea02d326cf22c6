/** The node's own words for what is wrong; undefined where nothing is. */
export type Objection = string | undefined

/** The first objection of a list of checks, which run only as far as needed: their order decides which words are heard. */
export function firstObjection(checks: Iterable<() => Objection>): Objection {
  for (const check of checks) {
    const objection = check()
    if (objection !== undefined) return objection
  }
  return undefined
}

/** How the node names an outpoint in its words. */
export const nameOutpoint = ({ transactionId, index }: { transactionId: string; index: number }): string =>
  `(${transactionId}, ${String(index)})`
