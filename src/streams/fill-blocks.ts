import { EMPTY, concat, from, switchMap, throwError, type Observable } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'

/** Pages of about 250 blocks that are read after an outage, at most: five minutes of a network of ten blocks a second. */
const PAGES = 12

/**
 * The blocks that a node has added since `cursor`, in its order, page by page. Errors as a call does, and where there are
 * too many of them. A page holds what stands beside its first block, too: two tips would each lead to the other for ever,
 * so it is over when a page brings nothing that is not `known`.
 */
export function fillBlocks$(
  cursor: string,
  call: NodeLink['call'],
  pages = PAGES,
  known: ReadonlySet<string> = new Set([cursor]),
): Observable<RpcBlock> {
  if (pages === 0) return throwError(tooMany)
  return call('getBlocks', { lowHash: cursor, includeBlocks: true, includeTransactions: false }).pipe(
    switchMap(({ blocks }) => {
      const hashes = blocks.map(({ header }) => header.hash)
      const last = hashes.filter((hash) => !known.has(hash)).at(-1)
      if (last === undefined) return EMPTY
      const added = from(blocks.filter(({ header }) => !known.has(header.hash)))
      return concat(added, fillBlocks$(last, call, pages - 1, new Set([...known, ...hashes])))
    }),
  )
}

const tooMany = (): ChainError =>
  new ChainError('More blocks came during the outage than are fetched afterwards', {
    hint: 'Read those that are needed with getBlocks().',
  })
