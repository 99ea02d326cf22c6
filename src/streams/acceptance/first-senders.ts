import { EMPTY, catchError, from, map, mergeMap, switchMap, throwError, type Observable } from 'rxjs'
import { isRefusal } from '../retry-with-backoff.js'
import type { NodeLink } from '../session/node-link.js'
import type { BlockSenders } from './read-senders.js'

/** Concurrent requests where each transaction is requested separately. */
const CONCURRENCY = 4

/**
 * The address of each transaction's first input, one by one as resolved: all that nodes of 0.16.1 to 1.0 provide. Skips
 * coinbases, scripts without an address, pruned blocks, and everything on older nodes. Errors with `ChainRpcError` if
 * the node did not respond.
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
              skipRefused(),
            ),
          CONCURRENCY,
        ),
      )
    }),
    skipRefused(),
  )

const skipRefused = <T>() =>
  catchError<T, Observable<T>>((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error)))
