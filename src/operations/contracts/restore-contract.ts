import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { relayMass, storageMass } from '../../model/mass.js'
import { parsePayment } from '../../model/serialized-payment.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { validateScripts } from '../../script/verify.js'
import { toUnconfirmed, type PlanOptions } from '../transactions/created-plan.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'
import type { PendingTx } from '../transactions/records.js'
import { RESTORED_TIMEOUT, createRestored } from '../transactions/restore.js'

/**
 * A signed transaction of contracts of an earlier process. Its scripts are executed again, with their signatures.
 * Reserves its inputs at once. Rejects with `ChainError` (`invalid-argument`) where it was changed or damaged, is not
 * signed, or belongs to another network.
 */
export async function restoreContract(
  serialized: SerializedTransaction,
  network: ChainNetwork,
  memory: Pick<PlanOptions, 'signedAmounts' | 'made'>,
  dependencies: TransactionDependencies,
): Promise<PendingTx> {
  const { transaction, spent, ...record } = parsePayment(serialized, network)
  const inputs = transaction.inputs.map((input, at) => ({ input, output: spent[at] }))
  const entries = inputs.flatMap(({ input, output }): readonly UtxoEntry[] =>
    output === undefined
      ? []
      : [{ ...output, outpoint: input.previousOutpoint, blockDaaScore: output.blockDaaScore ?? 0n, isCoinbase: false }],
  )
  const fee = sum(spent.map(({ amount }) => amount)) - sum(transaction.outputs.map(({ value }) => value))
  if (transaction.inputs.some(({ signatureScript }) => signatureScript === '')) throw notSigned()
  const violation = fee < 0n ? 'its outputs exceed its inputs' : validateScripts(transaction, entries)
  if (violation !== undefined) throw notRestorable(violation)
  const [relay, storage] = [relayMass(transaction), storageMass(transaction, entries)]
  const mass = relay > storage ? relay : storage
  const built = { id: transactionId(transaction), transaction, spent: entries, fee, mass }
  const release = dependencies.reservations.reserve(toUnconfirmed(built), RESTORED_TIMEOUT)
  try {
    const options = { network, ecdsa: undefined, ...memory, reserves: true }
    const { transaction: pending, claimed } = createRestored({ built, ...record }, options, dependencies)
    await dependencies.claims?.claim(claimed, 'sent')
    return pending
  } finally {
    release() // has no effect once the transaction has reserved them itself
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const notSigned = (): ChainError =>
  invalidArgument(
    'serialized',
    'The serialized transaction is not signed',
    'The arguments that are to be signed are not part of it: plan the call again. Nothing was sent.',
  )

const notRestorable = (details: string): ChainError =>
  new ChainError('The serialized transaction cannot be restored', {
    code: 'invalid-argument',
    argument: 'serialized',
    details,
    hint: 'It was changed after serialize() returned it. Nothing was sent.',
  })
