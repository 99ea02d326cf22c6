import { EMPTY, catchError, expand, filter, map, mergeMap, switchMap, take, throwError, type Observable } from 'rxjs'
import type { VirtualChainResult } from '../../node/messages/records.js'
import { isRefusal } from '../ask-again.js'
import type { NodeLink } from '../session/node-link.js'

/**
 * Which level of a header's parents to begin at: the blocks of level n are about 2^n blocks apart. Levels that only genesis
 * reaches are not written; the chain is that young then, and its pruning point is genesis.
 */
const LEVEL = 10

/** Pages of the chain that are read, at most: from a thousand blocks back, one reaches the tip. */
const PAGES = 3

/**
 * The chain block that accepted a transaction lately, some minutes back at most; completes without a value where there is
 * none. A node keeps no index of ids, but the higher-level parents of its sink lead far back in one step. Errors with
 * `ChainRpcError` where the node did not answer.
 */
export const lookBack$ = (transactionId: string, call: NodeLink['call']): Observable<string> =>
  call('getSink', {}).pipe(
    switchMap(({ sink }) => call('getBlock', { hash: sink, includeTransactions: false })),
    switchMap(({ block }) => {
      const { parentsByLevel, pruningPoint } = block.header
      return readOn$(parentsByLevel[LEVEL]?.[0] ?? pruningPoint, call)
    }),
    mergeMap(({ acceptedTransactionIds }) => acceptedTransactionIds),
    filter(({ acceptedTransactionIds }) => acceptedTransactionIds.includes(transactionId)),
    map(({ acceptingBlockHash }) => acceptingBlockHash),
    take(1),
    catchError((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error))), // an older block cannot be read
  )

function readOn$(start: string, call: NodeLink['call']): Observable<VirtualChainResult> {
  const page$ = (startHash: string): Observable<VirtualChainResult> =>
    call('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: true })
  return page$(start).pipe(
    expand((page, index) => {
      const last = page.addedChainBlockHashes.at(-1)
      return last === undefined || index + 1 === PAGES ? EMPTY : page$(last)
    }),
  )
}
