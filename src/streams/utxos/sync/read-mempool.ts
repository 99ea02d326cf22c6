import { EMPTY, catchError, tap, type Observable } from 'rxjs'
import type { NodeLink } from '../../session/node-link.js'
import type { AddressSet } from '../store/address-set.js'
import type { UnconfirmedSync } from '../unconfirmed/sync.js'

/** Reads the mempool for some addresses once. A failure is ignored until the next read. */
export function readMempool$(
  addressSets: readonly AddressSet[],
  sync: Pick<UnconfirmedSync, 'beginRead'>,
  { call }: Pick<NodeLink, 'call'>,
): Observable<unknown> {
  const addresses = addressSets.map(({ address }) => address)
  const apply = sync.beginRead(addresses)
  return call('getMempoolEntriesByAddresses', {
    addresses,
    includeOrphanPool: false,
    filterTransactionPool: false, // true returns only orphans
  }).pipe(
    tap(({ entries }) => apply(entries)),
    catchError(() => EMPTY), // the next read corrects it
  )
}
