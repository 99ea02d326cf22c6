import type { AcceptedTransactionInfo } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** How many transactions are remembered. */
const KEPT = 200

/** Who paid for each of the newest transactions, also for one that has left the list since. */
export function useLastSenders(
  transactions: Readonly<Ref<readonly AcceptedTransactionInfo[]>>,
): Readonly<Ref<ReadonlyMap<string, readonly string[]>>> {
  const senders = shallowRef<ReadonlyMap<string, readonly string[]>>(new Map())
  watch(transactions, (newest) => {
    const known = newest.flatMap(({ transactionId, senderAddresses }) =>
      senderAddresses.length === 0 ? [] : [[transactionId, senderAddresses] as const],
    )
    senders.value = new Map([...senders.value, ...known.reverse()].slice(-KEPT))
  })
  return shallowReadonly(senders)
}
