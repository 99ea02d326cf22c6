import type { methods } from './methods.js'

type Methods = typeof methods

/** The methods that not every node has, each with what the table says of it. */
type Since = {
  readonly [M in keyof Methods as Methods[M] extends { since: string } ? M : never]: Methods[M] extends {
    since: infer Version
  }
    ? Version
    : never
}

/**
 * The node versions that brought methods, as the table has them: the compiler sees to it. They stand apart from it, because
 * whoever asks is told of an older node before the table, and all that reads and writes by it, has been fetched.
 */
const SINCE: Since = {
  getUtxoReturnAddress: '0.16.1',
  getVirtualChainFromBlockV2: '1.1.0',
  getBlockRewardInfo: '2.0.0',
  getSeqCommitLaneProof: '2.0.0',
}

/** The node version that brought `method`; undefined where every node has it. */
export const sinceOf = (method: keyof Methods): string | undefined => {
  const since: Readonly<Partial<Record<keyof Methods, string>>> = SINCE
  return since[method]
}
