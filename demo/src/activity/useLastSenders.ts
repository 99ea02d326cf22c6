import type { AcceptedTransactionInfo } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

const MAX_ENTRIES = 200

/** Sender addresses of the newest transactions, also of those no longer in the list. */
export function useLastSenders(
  transactions: Readonly<Ref<readonly AcceptedTransactionInfo[]>>,
): Readonly<Ref<ReadonlyMap<string, readonly string[]>>> {
  const senders = shallowRef<ReadonlyMap<string, readonly string[]>>(new Map())
  watch(transactions, (newest) => {
    const known = newest.flatMap(({ transactionId, senderAddresses }) =>
      senderAddresses.length === 0 ? [] : [[transactionId, senderAddresses] as const],
    )
    senders.value = new Map([...senders.value, ...known.reverse()].slice(-MAX_ENTRIES))
  })
  return shallowReadonly(senders)
}
