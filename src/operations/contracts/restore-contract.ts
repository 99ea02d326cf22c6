import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { relayMass, storageMass } from '../../model/mass.js'
import { parsePayment } from '../../model/serialized-payment.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import type { Transaction } from '../../model/transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { validateScripts } from '../../script/verify.js'
import { toUnconfirmed, type PlanOptions } from '../transactions/created-plan.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'
import type { PendingTx } from '../transactions/records.js'
import { RESTORED_TIMEOUT, createRestored } from '../transactions/restore.js'
import { loadEcdsa } from '../transactions/sign/load-ecdsa.js'
import { withCalls } from './contract-signing.js'
import { restoreCalls, type RestoredCall, type TargetOf } from './restored-calls.js'
import { runSpends } from './run-spends.js'
import { submitCalls } from './submit-calls.js'

export interface RestoreDependencies extends TransactionDependencies {
  readonly targetOf: TargetOf
}

/**
 * A transaction of contracts of an earlier process. Its scripts are executed again, with their signatures, or with
 * placeholders where it is to be signed. Reserves its inputs at once. Rejects with `ChainError`: `invalid-argument`
 * where it was changed or damaged, or belongs to another network; `state-unknown` where it is to be signed and an
 * instance that it calls is not known.
 */
export async function restoreContract(
  serialized: SerializedTransaction,
  network: ChainNetwork,
  memory: Pick<PlanOptions, 'signedAmounts' | 'made'>,
  dependencies: RestoreDependencies,
): Promise<PendingTx> {
  const { transaction, spent, calls: records = [], ...record } = parsePayment(serialized, network)
  const inputs = transaction.inputs.map((input, at) => ({ input, output: spent[at] }))
  const entries = inputs.flatMap(({ input, output }): readonly UtxoEntry[] =>
    output === undefined
      ? []
      : [{ ...output, outpoint: input.previousOutpoint, blockDaaScore: output.blockDaaScore ?? 0n, isCoinbase: false }],
  )
  const fee = sum(spent.map(({ amount }) => amount)) - sum(transaction.outputs.map(({ value }) => value))
  const built = { id: transactionId(transaction), transaction, spent: entries, fee, mass: massOf(transaction, entries) }
  const isSigned = transaction.inputs.every(({ signatureScript }) => signatureScript !== '')
  if (!isSigned && records.length === 0) throw notSigned()
  const calls = isSigned ? [] : restoreCalls(built, records, entries, { network, targetOf: dependencies.targetOf })
  const spends = calls.map(({ spend }) => spend)
  if (fee < 0n) throw notRestorable('its outputs exceed its inputs')
  const violation = isSigned ? validateScripts(transaction, entries) : refusalOf(built, calls)
  if (violation !== undefined) throw notRestorable(violation)
  const keys = [...entries, ...spends.flatMap(({ signers }) => signers)].map((key) => key.scriptPublicKey)
  const extension: PlanOptions['extension'] = {
    signing: (signing) => (isSigned ? signing : withCalls(signing, { id: built.id, spends })),
    submit: (submit) => {
      const placed = calls.map((call) => call.placed)
      const lookupStart = { known: () => record.lookupStart }
      return submitCalls(submit, built, placed, { ...dependencies, lookupStart, onRelayed: () => undefined })
    },
    calls: () => records,
  }
  const release = dependencies.reservations.reserve(toUnconfirmed(built), RESTORED_TIMEOUT)
  try {
    const options = { network, ecdsa: await loadEcdsa(keys), ...memory, reserves: true, extension }
    const { transaction: pending, claimed } = createRestored({ built, ...record }, options, dependencies)
    await dependencies.claims?.claim(claimed, 'sent')
    return pending
  } finally {
    release() // has no effect once the transaction has reserved them itself
  }
}

/** Why a node would refuse the calls of an unsigned transaction. */
function refusalOf(built: Parameters<typeof runSpends>[0], calls: readonly RestoredCall[]): string | undefined {
  const run = runSpends(
    built,
    calls.map(({ spend }) => spend),
  )
  return run.kind === 'refused' ? run.reason : undefined
}

/** Grams, with signatures of 66 bytes where it has none yet. */
function massOf(transaction: Transaction, spent: readonly UtxoEntry[]): bigint {
  const inputs = transaction.inputs.map((input) =>
    input.signatureScript === '' ? { ...input, signatureScript: '00'.repeat(66) } : input,
  )
  const [relay, storage] = [relayMass({ ...transaction, inputs }), storageMass(transaction, spent)]
  return relay > storage ? relay : storage
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const notSigned = (): ChainError =>
  invalidArgument(
    'serialized',
    'The serialized transaction is not signed',
    'It has no record of its calls: plan them again. Nothing was sent.',
  )

const notRestorable = (details: string): ChainError =>
  new ChainError('The serialized transaction cannot be restored', {
    code: 'invalid-argument',
    argument: 'serialized',
    details,
    hint: 'It was changed after serialize() returned it. Nothing was sent.',
  })
