import { concat, switchMap, throwError, type Observable } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { RpcBlock, RpcHeader } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'

/** Pages of about 250 blocks that are read after an outage, at most: five minutes of a network of ten blocks a second. */
const PAGES = 12

/**
 * The blocks that a node has added since `cursor`, in its order, page by page. Errors as a call does, and where there are
 * too many of them. It is over with a page that begins where the node stood at first, or brings nothing new: what comes
 * meanwhile the node tells by itself, and to read it too would never end on a fast network or a slow line.
 */
export const fillBlocks$ = (cursor: string, call: NodeLink['call'], pages = PAGES): Observable<RpcBlock> =>
  call('getSink', {}).pipe(switchMap(({ sink }) => readOn$(cursor, { call, sink }, pages, new Set([cursor]))))

/**
 * The heaviest block of a page leads to the next: the last page ends with what stands beside the sink, of which each may
 * lead back to a branch that was left long ago.
 */
function readOn$(
  cursor: string,
  node: { readonly call: NodeLink['call']; readonly sink: string },
  pages: number,
  known: ReadonlySet<string>,
): Observable<RpcBlock> {
  if (pages === 0) return throwError(tooMany)
  return node.call('getBlocks', { lowHash: cursor, includeBlocks: true, includeTransactions: false }).pipe(
    switchMap(({ blocks }) => {
      const added = blocks.filter(({ header }) => !known.has(header.hash))
      if (added.length === 0 || cursor === node.sink) return added
      const seen = new Set([...known, ...added.map(({ header }) => header.hash)])
      const heaviest = added.map(({ header }) => header).reduce(heavier).hash
      return concat(added, readOn$(seen.has(node.sink) ? node.sink : heaviest, node, pages - 1, seen))
    }),
  )
}

/** The one with more work in it and beneath it: all are written in as many digits. */
const heavier = (one: RpcHeader, other: RpcHeader): RpcHeader => (other.blueWork > one.blueWork ? other : one)

const tooMany = (): ChainError =>
  new ChainError('Too many blocks came during the outage', {
    hint: 'Read what you need of them with getBlocks().',
  })
