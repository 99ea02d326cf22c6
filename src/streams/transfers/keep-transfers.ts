import { netOf } from './extract.js'
import type { TransferTransaction } from './transfer.js'

/** The transactions with the transfers of some addresses only; without those that have none. */
export const keepTransfers = (
  transactions: readonly TransferTransaction[],
  isKept: (address: string) => boolean,
): readonly TransferTransaction[] => transactions.flatMap((one) => keepIn(one, isKept))

function keepIn(
  transaction: TransferTransaction,
  isKept: (address: string) => boolean,
): readonly TransferTransaction[] {
  const transfers = transaction.transfers.filter(({ address }) => isKept(address))
  if (transfers.length === transaction.transfers.length) return [transaction]
  return transfers.length === 0 ? [] : [{ ...transaction, transfers, net: netOf(transfers) }]
}
