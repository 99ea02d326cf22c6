import type { UtxoEntry } from '../../model/utxo.js'
import type { TransferEntry } from '../transfers/history/entry.js'
import type { InterruptedPayment } from './interrupted.js'

/** Ms by which the clocks of page and network may differ. */
export const CLOCK_SKEW = 10_000

/**
 * The transaction that credited the payment: one whose UTXOs have every recipient with its amount, of a block with this
 * DAA score or a later one. Undefined if there is none.
 */
export function creditOf(
  { outputs }: InterruptedPayment,
  entries: readonly UtxoEntry[],
  since: bigint,
  isTaken: (transactionId: string) => boolean,
): string | undefined {
  const recent = entries.filter(
    ({ blockDaaScore, outpoint }) => blockDaaScore >= since && !isTaken(outpoint.transactionId),
  )
  const ids = new Set(recent.map(({ outpoint }) => outpoint.transactionId))
  return [...ids].find((id) => {
    const credits = recent.filter(({ outpoint }) => outpoint.transactionId === id)
    return outputs.every(({ address, amount }) => {
      const index = credits.findIndex((entry) => entry.address === address && entry.amount === amount)
      if (index >= 0) credits.splice(index, 1) // one output pays one recipient
      return index >= 0
    })
  })
}

/**
 * Whether a transaction of the paying address is the payment: to its recipients, of its amounts, and after it began.
 */
export function isDebit({ from, outputs, startedAt }: InterruptedPayment, entry: TransferEntry): boolean {
  const { timestamp, fee, net, counterparties } = entry
  if (fee === null || counterparties === null) return false
  const others = outputs.filter(({ address }) => address !== from)
  const total = others.reduce((sum, { amount }) => sum + amount, 0n)
  const isLater = timestamp === null || timestamp >= startedAt - CLOCK_SKEW
  return (
    isLater && total > 0n && -net - fee === total && others.every(({ address }) => counterparties.includes(address))
  )
}
