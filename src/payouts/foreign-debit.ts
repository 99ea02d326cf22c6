import { PayoutError } from '../errors/payout-error.js'

/** The error of a payment that no attempt of the journal has made. */
export const foreignDebit = (transactionId: string, ids: readonly string[]): PayoutError =>
  new PayoutError(`The transaction ${transactionId} spends from the addresses and is no payment of this journal`, {
    code: 'foreign-debit',
    transactionId,
    ids,
    hint: 'Another program has the key, or the journal was restored from a backup. Nothing is signed until acknowledge(transactionId).',
  })
