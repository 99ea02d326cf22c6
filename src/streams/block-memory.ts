import type { RpcBlock } from '../node/messages/records.js'

/** How many blocks are remembered: eight minutes of a network of ten a second. */
const REMEMBERED = 5_000

/** Which blocks have been told of, and which was the heaviest. */
export interface BlockMemory {
  /** The heaviest block that was told of, or the place to begin at; null before either. Nothing is missed beneath it. */
  readonly latest: () => string | null
  /** Begins at a block that nobody was told of, where nothing was told yet. */
  begin(hash: string): void
  /** Whether a block that the node tells of is news; it is none from now on. */
  isNews(block: RpcBlock): boolean
  /**
   * The same of a block that the node was asked for. A node answers with all that stands beside its sink, blocks of lost
   * branches from long ago among it: what is older than anything remembered is no news.
   */
  isMissed(block: RpcBlock): boolean
}

export function createBlockMemory(): BlockMemory {
  /** DAA scores by hash, in the order of arrival. */
  const known = new Map<string, bigint>()
  let latest: Pick<RpcBlock['header'], 'hash' | 'blueWork'> | null = null
  let forgotten = -1n

  const isNews = ({ header }: RpcBlock): boolean => {
    const { hash, daaScore, blueWork } = header
    if (known.has(hash)) return false
    if (latest === null || blueWork >= latest.blueWork) latest = header
    known.set(hash, daaScore)
    if (known.size > REMEMBERED) forget()
    return true
  }
  const forget = (): void => {
    for (const [oldest, daaScore] of known) {
      known.delete(oldest)
      forgotten = daaScore > forgotten ? daaScore : forgotten
      return
    }
  }
  return {
    latest: () => latest?.hash ?? null,
    begin: (hash) => {
      latest ??= { hash, blueWork: '' }
    },
    isNews,
    isMissed: (block) => block.header.daaScore > forgotten && isNews(block),
  }
}
