import type { Proposal } from '../../../operations/cosigning/records.js'

/** Finalises a payment, and submits its transactions, of which later ones spend earlier ones. */
export async function submitInOrder(proposal: Proposal): Promise<readonly string[]> {
  const ids: string[] = []
  for (const payment of await proposal.finalize()) ids.push(await payment.submit())
  return ids
}
