import { NATIVE_SUBNETWORK, createTransaction, type Transaction } from '../../../model/transaction.js'
import { boolean, integer, listOf, orNull, record, text, withDefault } from '../http/reader.js'
import { internalError, ok, Refusal, refuse } from '../http/reply.js'
import { post, type Route } from '../http/route.js'
import { computeMass, isCoinbase, storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { Indexer } from '../indexer.js'

/** A transaction in the server's model, which has no payload, gas or mass and ignores them in requests. */
const transactionModel = record({
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

type TransactionModel = ReturnType<typeof transactionModel>

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

/** The mass of a transaction, by its indexed inputs. The payload is ignored. */
export const massRoute: Route = post('/transactions/mass', {
  body: transactionModel,
  handle({ body }, indexer) {
    const transaction = toTransaction(body)
    if (isCoinbase(transaction)) return ok({ mass: 0, storage_mass: 0, compute_mass: 0 })
    const compute = computeMass(transaction)
    const storage = storageOf(transaction, spentBy(indexer, transaction))
    return ok({ mass: compute > storage ? compute : storage, storage_mass: storage, compute_mass: compute })
  },
})

/** Version 0: the server counts signature operations for every version. */
function toTransaction({ inputs, outputs, subnetworkId }: TransactionModel): Transaction {
  return createTransaction({
    inputs: inputs.map(({ previousOutpoint: { transactionId, index }, signatureScript, sequence, sigOpCount }) => ({
      previousOutpoint: { transactionId, index: Number(index) },
      signatureScript,
      sequence,
      sigOpCount: Number(sigOpCount),
    })),
    outputs: outputs.map(({ amount, scriptPublicKey: { scriptPublicKey: script, version } }) => ({
      value: amount,
      scriptPublicKey: { version: Number(version), script },
    })),
    subnetworkId: subnetworkId ?? NATIVE_SUBNETWORK,
  })
}

/** An unknown transaction gets 404; a missing output of a known one or an invalid id makes the server fail. */
function spentBy({ ledger: { history } }: Indexer, { inputs }: Transaction): readonly UtxoEntry[] {
  const outpoints = inputs.map(({ previousOutpoint }) => previousOutpoint)
  const areIds = outpoints.every(({ transactionId }) => /^[0-9a-f]{64}$/.test(transactionId))
  if (!areIds) throw internalError()
  const unknown = outpoints.filter((outpoint) => history.utxo(outpoint) === undefined)
  if (unknown.some(({ transactionId }) => history.transaction(transactionId) === undefined)) {
    throw refuse(404, 'Previous outpoint(s) not found in database.')
  }
  if (unknown.length > 0) throw internalError()
  return outpoints.flatMap((outpoint) => history.utxo(outpoint) ?? [])
}

/** The server divides by each amount, so that 0 makes it fail; a negative result counts as 0. */
function storageOf(transaction: Transaction, spent: readonly UtxoEntry[]): bigint {
  if (transaction.outputs.some(({ value }) => value === 0n)) throw internalError()
  if (transaction.outputs.some(({ value }) => value < 0n)) return 0n
  return storageMass(transaction, spent)
}
