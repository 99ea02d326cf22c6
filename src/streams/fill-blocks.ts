import { concat, switchMap, throwError, type Observable } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'

/** Pages of about 250 blocks that are read after an outage, at most: five minutes of a network of ten blocks a second. */
const PAGES = 12

/**
 * The blocks that a node has added since `cursor`, in its order, page by page. Errors as a call does, and where there are
 * too many of them. `heard` is what the node has told of since it tells: once the place is reached where it stood at first,
 * it is over with a page of nothing else. To read on until nothing comes would never end on a fast network or a slow line.
 */
export const fillBlocks$ = (
  cursor: string,
  call: NodeLink['call'],
  heard: ReadonlySet<string>,
  pages = PAGES,
): Observable<RpcBlock> =>
  call('getSink', {}).pipe(switchMap(({ sink }) => readOn$(cursor, { call, heard, sink }, pages, new Set([cursor]))))

interface Reading {
  readonly call: NodeLink['call']
  readonly heard: ReadonlySet<string>
  /** Where the node stood at first. */
  readonly sink: string
}

/**
 * The heaviest block of a page leads to the next: the last page ends with what stands beside the sink, of which each may
 * lead back to a branch that was left long ago.
 */
function readOn$(cursor: string, reading: Reading, pages: number, known: ReadonlySet<string>): Observable<RpcBlock> {
  const { call, heard, sink } = reading
  if (pages === 0) return throwError(tooMany)
  return call('getBlocks', { lowHash: cursor, includeBlocks: true, includeTransactions: false }).pipe(
    switchMap(({ blocks }) => {
      const added = blocks.filter(({ header }) => !known.has(header.hash))
      const seen = new Set([...known, ...added.map(({ header }) => header.hash)])
      if (added.every(({ header }) => seen.has(sink) && heard.has(header.hash))) return added
      return concat(added, readOn$(added.reduce(heavier).header.hash, reading, pages - 1, seen))
    }),
  )
}

/** The one with more work in it and beneath it: all are written in as many digits. */
const heavier = (one: RpcBlock, other: RpcBlock): RpcBlock =>
  other.header.blueWork > one.header.blueWork ? other : one

const tooMany = (): ChainError =>
  new ChainError('Too many blocks came during the outage', {
    hint: 'Read them with getBlocks().',
  })
