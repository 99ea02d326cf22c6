import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { transferHistory } from '../../../engine/features/transfer-history.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { TransferEntry } from '../../../streams/transfers/history/entry.js'
import { NO_TRANSFERS, type TransferHistoryOptions } from '../../../streams/transfers/history/state.js'
import type { Freshness } from '../../../streams/utxos/view/state.js'
import { useAddresses, type AddressesArgument, toStream, useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface UseTransfersReturn {
  /** One entry a transaction: unconfirmed ones first, then newest first. A reorg removes what it reverts. */
  readonly transfers: ComputedRef<readonly TransferEntry[]>
  /** Whether the list is current. */
  readonly freshness: ComputedRef<Freshness>
  /** Why the chain or the indexer could not be read at last; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
  /** Whether the indexer has older ones. */
  readonly hasMore: ComputedRef<boolean>
  /** Reads the next older page from the indexer. */
  readonly loadMore: () => void
}

/**
 * The history of the given addresses or account, which may change: live from the chain and the mempool, older ones from
 * the indexer where the network has one. Fetches and subscribes once a value is read.
 */
export function useTransfers(
  addresses: MaybeRefOrGetter<AddressesArgument>,
  options: TransferHistoryOptions = {},
): UseTransfersReturn {
  const history = feature(useCore('useTransfers'), transferHistory)(toStream(useAddresses(addresses)), options)
  const state = useStream(history.state$, NO_TRANSFERS)
  return {
    transfers: computed(() => state.value.transfers),
    freshness: computed(() => state.value.freshness),
    error: computed(() => state.value.error),
    hasMore: computed(() => state.value.hasMore),
    loadMore: () => history.loadMore(),
  }
}
