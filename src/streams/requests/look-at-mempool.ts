import { catchError, concatMap, defer, forkJoin, from, map, of, reduce, timeout, type Observable } from 'rxjs'
import type { AddressOfScript } from '../chain/address-of-script.js'
import type { ChainTransaction } from '../chain/batch.js'
import type { NodeLink } from '../session/node-link.js'
import { readMempool$ } from '../transfers/history/read-mempool.js'

/** What the mempool has for some addresses. */
export interface MempoolContent {
  readonly transactions: readonly ChainTransaction[]
  /** The sink's blue score, read after the transactions. */
  readonly sink: bigint
}

/** Ms after which a look has failed: a page must not show an old state for longer as the current one. */
const MAX_DURATION = 5_000

/** Addresses of one call. */
const MAX_ADDRESSES = 1_000

/** Reads the mempool for addresses once, then the blue score of the sink. Null where it cannot be read. */
export const lookAtMempool$ = (
  { call, platform }: Pick<NodeLink, 'call' | 'platform'>,
  addresses: readonly string[],
  addressOf: AddressOfScript,
): Observable<MempoolContent | null> => {
  const parts = Array.from({ length: Math.ceil(addresses.length / MAX_ADDRESSES) }, (_, part) =>
    addresses.slice(part * MAX_ADDRESSES, (part + 1) * MAX_ADDRESSES),
  )
  return from(parts).pipe(
    concatMap((part) => readMempool$({ call }, part, addressOf)),
    reduce((all: readonly ChainTransaction[], some) => [...all, ...some], []),
    concatMap((transactions) =>
      forkJoin({ transactions: of(transactions), sink: defer(() => call('getSinkBlueScore', {})) }),
    ),
    map(({ transactions, sink: { blueScore } }) => ({ transactions, sink: blueScore })),
    timeout({ each: MAX_DURATION, scheduler: platform.scheduler }),
    catchError(() => of(null)), // the next look corrects it
  )
}
