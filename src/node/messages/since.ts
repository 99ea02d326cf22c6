import type { methods } from './lookup.js'

type Methods = typeof methods

/** The methods that not every node has, with the version from the table. */
type Since = {
  readonly [M in keyof Methods as Methods[M] extends { since: string } ? M : never]: Methods[M] extends {
    since: infer Version
  }
    ? Version
    : never
}

/**
 * The node versions that added methods; the compiler checks that they equal the table's. A separate list, so that the
 * version check works without loading the table and the codecs.
 */
export const SINCE: Since = {
  getUtxoReturnAddress: '0.16.1',
  getVirtualChainFromBlockV2: '1.1.0',
  getBlockRewardInfo: '2.0.0',
  getSeqCommitLaneProof: '2.0.0',
}

/** The node version that added `method`; undefined if every node has it. */
export const sinceOf = (method: keyof Methods): string | undefined => {
  const since: Readonly<Partial<Record<keyof Methods, string>>> = SINCE
  return since[method]
}
