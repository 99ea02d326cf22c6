import { EMPTY, catchError, from, map, mergeMap, switchMap, throwError, type Observable } from 'rxjs'
import { isRefusal } from '../ask-again.js'
import type { NodeLink } from '../session/node-link.js'
import type { BlockSenders } from './read-senders.js'

/** Questions that are under way at once, where the node must be asked for each transaction on its own. */
const AT_ONCE = 4

/**
 * The address of each transaction's first input, one by one as they become known: the best that nodes of 0.16.1 to 1.0 can
 * tell. What has none is passed over: a coinbase, a script without an address, a block that is long gone, and everything
 * on a node that is older still. Errors with `ChainRpcError` where the node did not answer at all.
 */
export const firstSenders$ = (
  hash: string,
  transactionIds: readonly string[],
  call: NodeLink['call'],
): Observable<BlockSenders> =>
  call('getBlock', { hash, includeTransactions: false }).pipe(
    switchMap(({ block }) => {
      const { daaScore } = block.header
      return from(transactionIds).pipe(
        mergeMap(
          (txid) =>
            call('getUtxoReturnAddress', { txid, acceptingBlockDaaScore: daaScore }).pipe(
              map(({ returnAddress }) => new Map([[txid, [returnAddress]]])),
              passOver(),
            ),
          AT_ONCE,
        ),
      )
    }),
    passOver(),
  )

const passOver = <T>() =>
  catchError<T, Observable<T>>((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error)))
