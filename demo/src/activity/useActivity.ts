import { useTransactionListener } from 'vue-chain'
import { computed, type ComputedRef } from 'vue'
import { accounts } from '../devnode'
import { useLastSenders } from './useLastSenders'
import { useReverted } from './useReverted'
import { useTransactionDetails, type TransactionDetails } from './useTransactionDetails'

/** A line of the activity list. */
export interface Activity {
  readonly id: string
  readonly state: 'accepted' | 'reverted'
  readonly isReward: boolean
  /** Whether one of the accounts pays or is paid. */
  readonly isOurs: boolean
  readonly senders: readonly string[]
  /** Who is paid, the change aside. */
  readonly receivers: readonly string[]
  /** Sompi that the receivers get; undefined where the block was not seen. */
  readonly amount: bigint | undefined
  readonly timestamp: number | undefined
}

const ours = new Set(accounts.map(({ address }) => address))

/** What the network accepts, newest first, with what a reorg has just taken back at the top. */
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
  const away = outputs.filter(({ address }) => address === undefined || !senders.includes(address))
  const paid = away.length > 0 ? away : outputs
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
