import { NATIVE_SUBNETWORK, type Transaction } from '../../../model/transaction.js'
import { boolean, integer, listOf, orNull, record, text, usually } from '../http/reader.js'
import { internalError, ok, Refusal } from '../http/reply.js'
import { post, type Route } from '../http/route.js'

/** A transaction as the server's model has it: without payload, gas and mass, which are dropped when they are sent. */
export const transactionModel = record({
  version: integer,
  inputs: listOf(
    record({
      previousOutpoint: record({ transactionId: text, index: integer }),
      signatureScript: text,
      sequence: integer,
      sigOpCount: integer,
    }),
  ),
  outputs: listOf(record({ amount: integer, scriptPublicKey: record({ scriptPublicKey: text, version: integer }) })),
  lockTime: usually(orNull(integer), 0n),
  subnetworkId: usually(orNull(text), null),
})

export type TransactionModel = ReturnType<typeof transactionModel>

const submissionBody = record({ transaction: transactionModel, allowOrphan: usually(boolean, false) })

export const submissionRoute: Route = post('/transactions', {
  query: { replaceByFee: usually(boolean, false) },
  body: submissionBody,
  answer({ query, body }, indexer) {
    const transaction = toSubmitted(body.transaction)
    const answer = query.replaceByFee
      ? indexer.try('submitTransactionReplacement', { transaction })
      : indexer.try('submitTransaction', { transaction, allowOrphan: body.allowOrphan })
    if (!answer.ok) throw refused(answer.message)
    return ok({ transactionId: answer.value.transactionId })
  },
})

const refused = (error: string): Refusal => new Refusal({ status: 400, body: { error } })

/** What the node's own connection cannot carry fails in the server; what it carries and the node cannot read, is refused by it. */
function toSubmitted({ version, inputs, outputs, lockTime, subnetworkId }: TransactionModel): Transaction {
  const isCarried = [
    lockTime ?? 0n,
    ...inputs.map(({ sequence }) => sequence),
    ...outputs.map(({ amount }) => amount),
  ].every(isU64)
  if (!isCarried) throw internalError()
  const transaction = {
    version: small(version, 65_535n),
    inputs: inputs.map(({ previousOutpoint, signatureScript, sequence, sigOpCount }) => ({
      previousOutpoint: {
        transactionId: hashOf(previousOutpoint.transactionId),
        index: Number(previousOutpoint.index),
      },
      signatureScript: hexOf(signatureScript),
      sequence,
      sigOpCount: small(sigOpCount, 255n),
    })),
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({
      value: amount,
      scriptPublicKey: {
        version: small(scriptPublicKey.version, 65_535n),
        script: hexOf(scriptPublicKey.scriptPublicKey),
      },
    })),
    lockTime: lockTime ?? 0n,
    subnetworkId: subnetworkOf(subnetworkId),
    gas: 0n,
    payload: '',
    mass: 0n,
  }
  if (transaction.version > 1)
    throw refused(`RpcTransactionInput.sig_op_count is inconsistent with transaction version ${transaction.version}`)
  return transaction
}

const isU64 = (value: bigint): boolean => value >= 0n && value < 2n ** 64n

function small(value: bigint, most: bigint): number {
  if (value < 0n || value > most) {
    throw refused('Integer downsize conversion error out of range integral type conversion attempted')
  }
  return Number(value)
}

function hashOf(hex: string): string {
  if (hex.length !== 64) throw refused('Hex parsing error: Invalid input length 64')
  return hexOf(hex)
}

function hexOf(hex: string): string {
  if (hex.length % 2 !== 0) throw refused('Hex parsing error: Invalid input length 2')
  if (!/^[0-9a-fA-F]*$/.test(hex)) throw refused('Hex parsing error: Invalid character')
  return hex.toLowerCase()
}

function subnetworkOf(hex: string | null): string {
  if (hex?.length !== NATIVE_SUBNETWORK.length) throw refused('Invalid input length 40')
  return hexOf(hex)
}
