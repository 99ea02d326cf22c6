import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { acceptance } from '../../../engine/features/acceptance.js'
import type { AcceptedHistoryOptions, AcceptedTransactionInfo } from '../../../streams/acceptance/acceptance.js'
import { useListening, type Listening } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface TransactionListenerOptions extends AcceptedHistoryOptions {
  /** Subscribes on mount, outside a component at once. @default true */
  readonly autoSubscribe?: boolean | undefined
}

export interface UseTransactionListenerReturn extends Omit<Listening<unknown>, 'value'> {
  /** Ids of accepted transactions, newest first; a reorg removes those of its removed chain blocks. */
  readonly transactions: ComputedRef<string[]>
  /** The same with accepting block and, if requested, senders. */
  readonly acceptedTransactions: ComputedRef<AcceptedTransactionInfo[]>
  /** Empties the history. */
  readonly clear: () => void
  /** The sender addresses of a transaction in the list; [] if the node cannot resolve them. */
  readonly resolveSenderAddresses: (transactionId: string) => Promise<string[]>
}

/** Transactions accepted by the virtual chain. Each call has its own history. Backfills after a reconnect. */
export function useTransactionListener(options: TransactionListenerOptions = {}): UseTransactionListenerReturn {
  const { history: createList, placement } = feature(useCore('useTransactionListener'), acceptance)
  const { autoSubscribe = true, ...historyOptions } = options
  const history = createList(historyOptions)
  const { value, ...listening } = useListening(history, [], autoSubscribe, placement)
  return {
    ...listening,
    transactions: computed(() => value.value.map(({ transactionId }) => transactionId)),
    acceptedTransactions: computed(() => value.value.slice()),
    clear: () => history.clear(),
    resolveSenderAddresses: (transactionId) => history.resolveSenderAddresses(transactionId),
  }
}
