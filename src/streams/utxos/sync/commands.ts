import { Subject } from 'rxjs'
import type { AddressSet } from '../store/address-set.js'

/** Requests of the trackers to the code that syncs the UTXO sets. */
export interface UtxoRequests {
  /** Address sets were opened, or got another subscriber. */
  readonly tracked$: Subject<void>
  /** An address set has lost a subscriber. */
  readonly released$: Subject<AddressSet>
  /** These address sets have to be fetched again. */
  readonly invalidated$: Subject<readonly AddressSet[]>
  /** The mempool has to be read now for these address sets. */
  readonly mempoolReads$: Subject<readonly AddressSet[]>
  /** Entries of blocks with a higher DAA score than the last known one were added. */
  readonly ahead$: Subject<void>
  /** Emits a poll interval in ms each time it has elapsed. */
  readonly ticked$: Subject<number>
  /** Requests the mempool and the UTXOs of these address sets. */
  readonly refetch: (addressSets: readonly AddressSet[]) => void
}

export function createRequests(): UtxoRequests {
  const mempoolReads$ = new Subject<readonly AddressSet[]>()
  const invalidated$ = new Subject<readonly AddressSet[]>()
  return {
    tracked$: new Subject(),
    released$: new Subject(),
    invalidated$,
    mempoolReads$,
    ahead$: new Subject(),
    ticked$: new Subject(),
    refetch: (addressSets) => {
      mempoolReads$.next(addressSets) // before the UTXOs: a payment accepted in between is in both, not in neither
      invalidated$.next(addressSets)
    },
  }
}
