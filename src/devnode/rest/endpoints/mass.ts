import { computeMass, isCoinbase, storageMass } from '../../../model/mass.js'
import { NATIVE_SUBNETWORK, createTransaction, type Transaction } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { post, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { transactionModel, type TransactionModel } from './submission.js'

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
