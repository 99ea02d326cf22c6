import type { TransactionStatus } from 'vue-chain/streams'

/** The latest payment, as the start page shows it. */
export interface ShownPayment {
  readonly text: string
  readonly confirmations: number
  /** Whether it was accepted at any time: then `mempool` is what a reorg has left. */
  readonly wasAccepted: boolean
}

export const NO_PAYMENT: ShownPayment = {
  text: 'Press Pay: the payment runs through the network',
  confirmations: 0,
  wasAccepted: false,
}

/** The next text of a payment. */
export function reducePayment(
  last: ShownPayment,
  { transactionId, status, confirmations }: TransactionStatus,
): ShownPayment {
  const name = `Payment ${transactionId.slice(0, 6)}…`
  if (status === 'unknown') return { ...NO_PAYMENT, text: `${name} sent` }
  if (status === 'accepted') return { text: `${name} accepted`, confirmations, wasAccepted: true }
  if (status !== 'mempool') return { ...last, text: `${name} ${status}`, confirmations: 0 }
  const text = last.wasAccepted ? `${name} reverted by a reorg, in the mempool again` : `${name} in the mempool`
  return { ...last, text, confirmations: 0 }
}
