import { useRpc, useTransactionListener } from 'vue-chain'
import { useTransactionDetails } from '../activity/useTransactionDetails'
import { command } from '../devnode'
import type { FaultButton } from './faults'

/** No reorg of this page is deeper. */
const DEEPEST = 50
/** Beside what stands on the accepting block: that one, and the blocks below in which the payment lay. */
const BELOW = 3

/** A reorg whose branch spends the coins of the newest payment otherwise: it falls out, and does not come back. */
export function useReversal(): FaultButton {
  const { acceptedTransactions } = useTransactionListener()
  const { getVirtualChainFromBlock } = useRpc()
  const details = useTransactionDetails()

  async function cause(): Promise<void> {
    const isPayment = (id: string): boolean => details.value.get(id)?.isReward === false
    const payment = acceptedTransactions.value.find(({ transactionId }) => isPayment(transactionId))
    if (payment === undefined)
      throw new Error('There is no payment to revert. Send one, and wait until it is accepted.')
    const { addedChainBlockHashes } = await getVirtualChainFromBlock(payment.acceptingBlockHash, false)
    const depth = addedChainBlockHashes.length + BELOW
    if (depth > DEEPEST) throw new Error('The newest payment lies too deep. Send another one.')
    await command('/reorg', { depth, drop: [payment.transactionId] })
  }
  return { name: 'Revert a payment', about: 'Another branch spends the coins of the newest one.', cause }
}
