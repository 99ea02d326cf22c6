import { useRpc, useTransactionListener } from 'vue-chain'
import { useTransactionDetails } from '../activity/useTransactionDetails'
import { command } from '../devnode'
import type { FaultButton } from './faults'

const MAX_DEPTH = 50
/** The accepting block and the blocks below it that may include the payment. */
const EXTRA_DEPTH = 3

/** A reorg whose branch double-spends the inputs of the newest payment, so that it is not accepted again. */
export function useRevertPayment(): FaultButton {
  const { acceptedTransactions } = useTransactionListener()
  const { getVirtualChainFromBlock } = useRpc()
  const details = useTransactionDetails()

  async function inject(): Promise<void> {
    const isPayment = (id: string): boolean => details.value.get(id)?.isReward === false
    const payment = acceptedTransactions.value.find(({ transactionId }) => isPayment(transactionId))
    if (payment === undefined) throw new Error('No payment to revert. Send one and wait until it is accepted.')
    const { addedChainBlockHashes } = await getVirtualChainFromBlock(payment.acceptingBlockHash, false)
    const depth = addedChainBlockHashes.length + EXTRA_DEPTH
    if (depth > MAX_DEPTH) throw new Error('The newest payment is too deep for a reorg. Send another one.')
    await command('/reorg', { depth, doubleSpend: [payment.transactionId] })
  }
  return { name: 'Revert a payment', effect: 'A reorg double-spends the inputs of the newest one.', inject }
}
