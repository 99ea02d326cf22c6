import { NATIVE_SUBNETWORK, createTransaction, type Transaction } from '../../../model/transaction.js'
import { boolean, integer, listOf, orNull, record, text, withDefault } from '../http/reader.js'
import { internalError, ok, Refusal } from '../http/reply.js'
import { post, type Route } from '../http/route.js'

/** A transaction in the server's model, which has no payload, gas or mass and ignores them in requests. */
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
  lockTime: withDefault(orNull(integer), 0n),
  subnetworkId: withDefault(orNull(text), null),
})

export type TransactionModel = ReturnType<typeof transactionModel>

const submissionBody = record({ transaction: transactionModel, allowOrphan: withDefault(boolean, false) })

export const submissionRoute: Route = post('/transactions', {
  query: { replaceByFee: withDefault(boolean, false) },
  body: submissionBody,
  handle({ query, body }, indexer) {
    const transaction = toSubmitted(body.transaction)
    const result = query.replaceByFee
      ? indexer.tryCall('submitTransactionReplacement', { transaction })
      : indexer.tryCall('submitTransaction', { transaction, allowOrphan: body.allowOrphan })
    if (!result.ok) throw refused(result.message)
    return ok({ transactionId: result.value.transactionId })
  },
})

const refused = (error: string): Refusal => new Refusal({ status: 400, body: { error } })

/**
 * Values that do not fit into the server's message to the node make the server fail; others are refused by the node.
 */
function toSubmitted({ version, inputs, outputs, lockTime, subnetworkId }: TransactionModel): Transaction {
  const fitsMessage = [
    lockTime ?? 0n,
    ...inputs.map(({ sequence }) => sequence),
    ...outputs.map(({ amount }) => amount),
  ].every(isU64)
  if (!fitsMessage) throw internalError()
  const transaction = createTransaction({
    version: toSmallInteger(version, 65_535n),
    inputs: inputs.map(({ previousOutpoint, signatureScript, sequence, sigOpCount }) => ({
      previousOutpoint: {
        transactionId: hashOf(previousOutpoint.transactionId),
        index: Number(previousOutpoint.index),
      },
      signatureScript: hexOf(signatureScript),
      sequence,
      sigOpCount: toSmallInteger(sigOpCount, 255n),
    })),
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({
      value: amount,
      scriptPublicKey: {
        version: toSmallInteger(scriptPublicKey.version, 65_535n),
        script: hexOf(scriptPublicKey.scriptPublicKey),
      },
    })),
    lockTime: lockTime ?? 0n,
    subnetworkId: subnetworkOf(subnetworkId),
  })
  if (transaction.version > 1)
    throw refused(`RpcTransactionInput.sig_op_count is inconsistent with transaction version ${transaction.version}`)
  return transaction
}

const isU64 = (value: bigint): boolean => value >= 0n && value < 2n ** 64n

function toSmallInteger(value: bigint, max: bigint): number {
  if (value < 0n || value > max) {
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
