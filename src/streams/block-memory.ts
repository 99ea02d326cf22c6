import type { RpcBlock } from '../node/messages/records.js'

/** How many blocks are remembered: eight minutes of a network of ten a second. */
const REMEMBERED = 5_000

/** Which blocks have been told of, and which was the last. */
export interface BlockMemory {
  /** The last block that was told of, or the place to begin at; null before either. */
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
  let latest: string | null = null
  let forgotten = -1n

  const isNews = ({ header: { hash, daaScore } }: RpcBlock): boolean => {
    if (known.has(hash)) return false
    latest = hash
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
    latest: () => latest,
    begin: (hash) => {
      latest ??= hash
    },
    isNews,
    isMissed: (block) => block.header.daaScore > forgotten && isNews(block),
  }
}
