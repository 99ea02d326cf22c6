import { useTransactionListener } from 'vue-chain'
import { computed, type ComputedRef } from 'vue'
import { accounts } from '../devnode'
import { useLastSenders } from './useLastSenders'
import { useReverted } from './useReverted'
import { useTransactionDetails, type TransactionDetails } from './useTransactionDetails'

/** A row of the activity list. */
export interface Activity {
  readonly id: string
  readonly state: 'accepted' | 'reverted'
  readonly isReward: boolean
  /** Whether one of the page's accounts is a sender or a receiver. */
  readonly isOurs: boolean
  readonly senders: readonly string[]
  /** Receivers, change outputs excluded. */
  readonly receivers: readonly string[]
  /** Sompi received; undefined if the block was not seen. */
  readonly amount: bigint | undefined
  readonly timestamp: number | undefined
}

const ours = new Set(accounts.map(({ address }) => address))

/** Accepted transactions, newest first; those just reverted by a reorg at the top. */
export function useActivity(): ComputedRef<readonly Activity[]> {
  const { acceptedTransactions } = useTransactionListener({ includeSenderAddresses: true })
  const details = useTransactionDetails()
  const reverted = useReverted()
  const senders = useLastSenders(acceptedTransactions)
  return computed(() => [
    ...reverted.value.map((id) => toActivity(id, 'reverted', senders.value.get(id) ?? [], details.value.get(id))),
    ...acceptedTransactions.value.map(({ transactionId: id, senderAddresses }) =>
      toActivity(id, 'accepted', senderAddresses, details.value.get(id)),
    ),
  ])
}

function toActivity(
  id: string,
  state: Activity['state'],
  senders: readonly string[],
  details: TransactionDetails | undefined,
): Activity {
  const outputs = details?.outputs ?? []
  const external = outputs.filter(({ address }) => address === undefined || !senders.includes(address))
  const paid = external.length > 0 ? external : outputs
  const receivers = paid.flatMap(({ address }) => address ?? [])
  return {
    id,
    state,
    isReward: details?.isReward ?? false,
    isOurs: [...senders, ...receivers].some((address) => ours.has(address)),
    senders,
    receivers,
    amount: details && paid.reduce((sum, { amount }) => sum + amount, 0n),
    timestamp: details?.timestamp,
  }
}
