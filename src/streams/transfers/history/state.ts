import type { Observable } from 'rxjs'
import type { ChainError } from '../../../errors/chain-error.js'
import type { Freshness } from '../../utxos/view/state.js'
import type { TransferEntry } from './entry.js'

export interface TransferHistoryOptions {
  /** How many rows the list has, and how many more with each `loadMore`. @default 20 */
  readonly limit?: number | undefined
  /**
   * Reads older transactions from the indexer (REST), which sends it the addresses. False begins with the present.
   * @default true
   */
  readonly indexer?: boolean | undefined
  /**
   * Ms between two looks at the mempool; 0 for none but the first and those after changes. Of several lists, the
   * shortest counts. @default 10_000
   */
  readonly mempoolInterval?: number | undefined
}

export interface TransferHistoryState {
  /** Unconfirmed first, then newest first. */
  readonly transfers: readonly TransferEntry[]
  /** `loading` until the chain is followed and the first page is read; `stale` without a connection. */
  readonly freshness: Freshness
  /** The newest failure of the chain or the indexer. */
  readonly error: ChainError | null
  /** Whether there are older ones, or the indexer may have some. */
  readonly hasMore: boolean
}

export const NO_TRANSFERS: TransferHistoryState = { transfers: [], freshness: 'unknown', error: null, hasMore: false }

export interface TransferHistory {
  /**
   * Never errors. All histories of an engine follow the chain once, while one is subscribed to: those of one address
   * emit the same rows in the same frame, whenever each subscription began.
   */
  readonly state$: Observable<TransferHistoryState>
  /** Adds the next older page; nothing while one is being read. */
  readonly loadMore: () => void
}
