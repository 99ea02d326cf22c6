import type { Observable } from 'rxjs'
import type { ChainError } from '../../../errors/chain-error.js'
import type { Freshness } from '../../utxos/state.js'
import type { TransferEntry } from './entry.js'

export interface TransferHistoryOptions {
  /** Transactions of a page of the indexer, of each address. @default 20 */
  readonly limit?: number | undefined
  /** Reads older transactions from the indexer (REST), which sends it the addresses. @default true */
  readonly indexer?: boolean | undefined
  /** Ms between two looks at the mempool. @default 10_000 */
  readonly mempoolInterval?: number | undefined
}

export interface TransferHistoryState {
  /** Unconfirmed first, then newest first. */
  readonly transfers: readonly TransferEntry[]
  /** `loading` until the chain is followed and the first page is read; `stale` without a connection. */
  readonly freshness: Freshness
  /** The newest failure of the chain or the indexer. */
  readonly error: ChainError | null
  /** Whether `loadMore` may find older ones. */
  readonly hasMore: boolean
}

export const NO_TRANSFERS: TransferHistoryState = { transfers: [], freshness: 'unknown', error: null, hasMore: false }

export interface TransferHistory {
  /** Cold: each subscription follows the chain. Never errors. */
  readonly state$: Observable<TransferHistoryState>
  /** Reads the next older page for the current subscription; nothing while one is being read. */
  readonly loadMore: () => void
}
