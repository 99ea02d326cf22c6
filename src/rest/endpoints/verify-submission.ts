import { transactionId } from '../../model/transaction-id.js'
import type { Transaction } from '../../model/transaction.js'
import { Mismatch } from '../decoding/shape.js'
import type { ChainRestSubmitTransactionResponse, RestTransactionModel } from '../records/submission.js'
import type { Arguments } from './endpoint.js'
import { submittedTransaction } from './submitted-transaction.js'

/**
 * Throws `Mismatch` where the reply to a submission has the id of another transaction. The own id follows from the
 * transaction; the network may have it.
 */
export function verifySubmission({ transactionId: found }: ChainRestSubmitTransactionResponse, args: Arguments): void {
  if (found === undefined) return
  const model = submittedTransaction(args.transaction, 'transaction', undefined) // valid, because it was sent
  const id = transactionId(toTransaction(model as RestTransactionModel))
  if (found === id) return
  throw new Mismatch(`the response is about another transaction than ${id}, which the network may have`)
}

/** The model of the server has no payload and no gas. */
function toTransaction({ version, inputs, outputs, lockTime = 0, subnetworkId }: RestTransactionModel): Transaction {
  return {
    version,
    inputs: inputs.map((input) => ({ ...input, sequence: BigInt(input.sequence) })),
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({
      value: BigInt(amount),
      scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.scriptPublicKey },
    })),
    lockTime: BigInt(lockTime),
    subnetworkId: subnetworkId ?? '',
    gas: 0n,
    payload: '',
    mass: 0n,
  }
}
