import { netOf } from '../streams/transfers/extract.js'
import type { TransferTransaction } from '../streams/transfers/transfer.js'

/**
 * What `followTransfers` of the addresses alone would report: their transfers, with recipients that the feed watches as
 * counterparties.
 */
export const ownTransactions = (
  transactions: readonly TransferTransaction[],
  isOwn: (address: string) => boolean,
): readonly TransferTransaction[] =>
  transactions.flatMap((transaction) => {
    const transfers = transaction.transfers.filter(({ address }) => isOwn(address))
    if (transfers.length === 0) return []
    const recipients = transaction.transfers
      .filter(({ address, direction }) => direction === 'credit' && !isOwn(address))
      .map(({ address }) => address)
    const own = transfers.map((transfer) =>
      transfer.direction === 'debit' && recipients.length > 0
        ? { ...transfer, counterparties: [...new Set([...transfer.counterparties, ...recipients])] }
        : transfer,
    )
    return [{ ...transaction, transfers: own, net: netOf(own) }]
  })
