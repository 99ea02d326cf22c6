import type { RpcBlock } from '../node/messages/records.js'

/** Blocks remembered: eight minutes at ten blocks per second. */
const CAPACITY = 5_000

/** The blocks already emitted, and the heaviest of them. */
export interface SeenBlocks {
  /** The heaviest emitted block, or the start block; null before either. The backfill starts there. */
  readonly heaviest: () => string | null
  /** Sets a start block that was not emitted. No effect after another start or block. */
  start(hash: string): void
  /** Adds a block from a notification; false if it was already added. */
  addNotified(block: RpcBlock): boolean
  /**
   * Adds a fetched block; false if it was already added or is older than the newest pruned one. `getBlocks` also
   * returns the anticone of the sink, with blocks of branches abandoned long ago.
   */
  addFetched(block: RpcBlock): boolean
}

export function createSeenBlocks(): SeenBlocks {
  /** DAA scores by hash, in order of arrival. */
  const daaScores = new Map<string, bigint>()
  let heaviest: Pick<RpcBlock['header'], 'hash' | 'blueWork'> | null = null
  let prunedDaaScore = -1n

  const add = ({ header }: RpcBlock): boolean => {
    const { hash, daaScore, blueWork } = header
    if (daaScores.has(hash)) return false
    if (heaviest === null || blueWork >= heaviest.blueWork) heaviest = header
    daaScores.set(hash, daaScore)
    if (daaScores.size > CAPACITY) prune()
    return true
  }
  const prune = (): void => {
    for (const [oldest, daaScore] of daaScores) {
      daaScores.delete(oldest)
      prunedDaaScore = daaScore > prunedDaaScore ? daaScore : prunedDaaScore
      return
    }
  }
  return {
    heaviest: () => heaviest?.hash ?? null,
    start: (hash) => {
      heaviest ??= { hash, blueWork: '' }
    },
    addNotified: add,
    addFetched: (block) => block.header.daaScore > prunedDaaScore && add(block),
  }
}
