import { EMPTY, concat, from, switchMap, throwError, type Observable } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'

/** Pages of about 250 blocks that are read after an outage, at most: five minutes of a network of ten blocks a second. */
const PAGES = 12

/**
 * The blocks that a node has added since `cursor`, in its order, page by page. Errors as a call does, and where there are
 * too many of them.
 */
export function fillBlocks$(cursor: string, call: NodeLink['call'], pages = PAGES): Observable<RpcBlock> {
  if (pages === 0) return throwError(tooMany)
  return call('getBlocks', { lowHash: cursor, includeBlocks: true, includeTransactions: false }).pipe(
    switchMap(({ blocks }) => {
      const last = blocks.at(-1)?.header.hash ?? cursor
      return last === cursor ? EMPTY : concat(from(blocks), fillBlocks$(last, call, pages - 1))
    }),
  )
}

const tooMany = (): ChainError =>
  new ChainError('More blocks came during the outage than are fetched afterwards', {
    hint: 'Read those that are needed with getBlocks().',
  })
