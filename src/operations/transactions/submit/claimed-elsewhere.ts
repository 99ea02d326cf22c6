import { ChainError } from '../../../errors/chain-error.js'

/** The error of a payment whose UTXO another one has: a tab was faster, or the claim of a suspended page expired. */
export const claimedElsewhere = (): ChainError =>
  new ChainError('Another payment has claimed a UTXO of this one, so it was not sent', {
    code: 'aborted',
    hint: 'Nothing was sent, and its UTXOs are released: plan it again.',
  })

/** The same of a payment that an earlier call or process may have sent. */
export const claimedSinceSent = (transactionId: string): ChainError =>
  new ChainError('Another payment has claimed a UTXO of this one, so it was not sent again', {
    code: 'aborted',
    outcome: 'unknown',
    transactionId,
    hint: 'The network may have it since an earlier submission: follow transactionId. The chain accepts one of the two.',
  })
