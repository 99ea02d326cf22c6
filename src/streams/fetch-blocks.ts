import { concat, switchMap, throwError, type Observable } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'

/** Pages of about 250 blocks fetched after an outage, at most: five minutes at ten blocks per second. */
const MAX_PAGES = 12

/**
 * The blocks a node has added since `cursor`, in its order, page by page. Errors as a call does, and after `maxPages`
 * pages. `received` are the blocks notified since the subscription. The fetch ends once it has passed the sink of its
 * start and a page holds only received blocks: waiting for an empty page would never end on a fast network or a slow
 * connection.
 */
export const fetchBlocksSince$ = (
  cursor: string,
  call: NodeLink['call'],
  received: ReadonlySet<string>,
  maxPages = MAX_PAGES,
): Observable<RpcBlock> =>
  call('getSink', {}).pipe(
    switchMap(({ sink }) => fetchPages$(cursor, { call, received, sink }, maxPages, new Set([cursor]))),
  )

interface FetchContext {
  readonly call: NodeLink['call']
  readonly received: ReadonlySet<string>
  /** The sink when the fetch started. */
  readonly sink: string
}

/**
 * The heaviest block of a page is the cursor of the next. The last page ends with the anticone of the sink, whose
 * blocks may belong to branches abandoned long ago.
 */
function fetchPages$(
  cursor: string,
  context: FetchContext,
  pagesLeft: number,
  known: ReadonlySet<string>,
): Observable<RpcBlock> {
  const { call, received, sink } = context
  if (pagesLeft === 0) return throwError(tooMany)
  return call('getBlocks', { lowHash: cursor, includeBlocks: true, includeTransactions: false }).pipe(
    switchMap(({ blocks }) => {
      const added = blocks.filter(({ header }) => !known.has(header.hash))
      const knownOrAdded = new Set([...known, ...added.map(({ header }) => header.hash)])
      if (added.every(({ header }) => knownOrAdded.has(sink) && received.has(header.hash))) return added
      return concat(added, fetchPages$(added.reduce(heavier).header.hash, context, pagesLeft - 1, knownOrAdded))
    }),
  )
}

/** Blue work is a hex string of fixed length. */
const heavier = (one: RpcBlock, other: RpcBlock): RpcBlock =>
  other.header.blueWork > one.header.blueWork ? other : one

const tooMany = (): ChainError =>
  new ChainError('Too many blocks were added during the outage', {
    hint: 'Read them with getBlocks().',
  })

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
