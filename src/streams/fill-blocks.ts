import { EMPTY, concat, switchMap, throwError, type Observable } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { NodeLink } from './session/node-link.js'

/** Pages of about 250 blocks that are read after an outage, at most: five minutes of a network of ten blocks a second. */
const PAGES = 12

/**
 * The blocks that a node has added since `cursor`, in its order, page by page. Errors as a call does, and where there are
 * too many of them. The heaviest of a page leads to the next: the last page ends with what stands beside the sink, of which
 * each may lead back to a branch that was left long ago. It is over when a page brings nothing that is not `known`.
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
      const added = blocks.filter(({ header }) => !known.has(header.hash))
      if (added.length === 0) return EMPTY
      const { header: heaviest } = added.reduce((best, block) => (isHeavier(block, best) ? block : best))
      const hashes = blocks.map(({ header }) => header.hash)
      return concat(added, fillBlocks$(heaviest.hash, call, pages - 1, new Set([...known, ...hashes])))
    }),
  )
}

/** Whether more work lies in a block and beneath it: all are written in as many digits. */
const isHeavier = (block: RpcBlock, than: RpcBlock): boolean => block.header.blueWork > than.header.blueWork

const tooMany = (): ChainError =>
  new ChainError('More blocks came during the outage than are fetched afterwards', {
    hint: 'Read those that are needed with getBlocks().',
  })
