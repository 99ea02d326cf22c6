import type { SentTransactions } from '../operations/transactions/transaction-operations.js'
import type { CoreParts } from './core-parts.js'
import type { PaymentRecord } from './recorder/records.js'

/** The result of `send`; records its start and its end, where there is a recorder. */
export async function recordPayment(
  { probe, platform }: CoreParts,
  send: () => Promise<SentTransactions>,
): Promise<SentTransactions> {
  const record = (phase: PaymentRecord['phase'], transactionId: string | null = null): void =>
    probe?.record({ at: platform.now(), type: 'payment', phase, transactionId })
  record('started')
  try {
    const sent = await send()
    for (const transactionId of sent.transactionIds) record('submitted', transactionId)
    return sent
  } catch (error) {
    record('failed')
    throw error
  }
}
