import type { ChainTransaction } from '../chain/batch.js'
import { extractTransaction, type AddressFilter } from '../transfers/extract.js'
import type { Transfer, TransferBatch } from '../transfers/transfer.js'
import { isPaymentOf } from './credits.js'
import type { AcceptedPayment, SeenPayment } from './record.js'
import type { RequestTerms } from './terms.js'

/** No chain block has accepted the transactions of the mempool. */
const UNACCEPTED = { hash: '', blueScore: 0n, daaScore: 0n, timestamp: 0 }

/** The outputs of mempool transactions that pay a request. */
export const pendingPayments = (
  terms: RequestTerms,
  transactions: readonly ChainTransaction[],
  filter: AddressFilter,
): readonly SeenPayment[] =>
  transactions.flatMap((transaction) => {
    const transfers = extractTransaction(transaction, UNACCEPTED, filter)?.transfers ?? []
    const inputs = transaction.inputs.map(({ outpoint }) => outpoint)
    return transfers
      .filter((transfer) => isPaymentOf(terms, transfer))
      .map(({ outpoint, amount, counterparties }) => ({ outpoint, amount, counterparties, inputs }))
  })

/**
 * The credits of a batch that pay a request. `startedAt` is a DAA score that was reached before its address was
 * watched.
 */
export const acceptedPayments = (
  terms: RequestTerms,
  { transactions }: Pick<TransferBatch, 'transactions'>,
  startedAt: bigint,
): readonly AcceptedPayment[] =>
  transactions
    .flatMap(({ transfers }) => transfers)
    .filter((transfer) => isPaymentOf(terms, transfer))
    .map((transfer) => ({
      outpoint: transfer.outpoint,
      amount: transfer.amount,
      counterparties: transfer.counterparties,
      inputs: [],
      blueScore: transfer.acceptingBlueScore,
      depthBefore: depthBefore(transfer, startedAt),
      timestamp: transfer.timestamp,
    }))

/**
 * The confirmations that an opening credit has at least where its address begins to be watched. The DAA score counts
 * red blocks too, of which there are fewer than blue ones: half of its difference is a lower bound.
 */
const depthBefore = ({ isOpening, acceptingDaaScore }: Transfer, startedAt: bigint): bigint =>
  isOpening && startedAt > acceptingDaaScore ? (startedAt - acceptingDaaScore) / 2n : 0n
