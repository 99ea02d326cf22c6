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
