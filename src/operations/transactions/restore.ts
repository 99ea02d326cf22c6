import { loadCode } from '../../loading/load-code.js'
import { invalidArgument, type ChainError, refuseUnknown } from '../../errors/chain-error.js'
import { addressVersionOf } from '../../model/address.js'
import { relayMass, storageMass, type StoredOutput } from '../../model/mass.js'
import type { ChainNetwork } from '../../model/network.js'
import { parsePayment, type SerializablePayment } from '../../model/serialized-payment.js'
import { sighashParts, type SpentOutput } from '../../model/sighash.js'
import type { Transaction, TransactionInput } from '../../model/transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import { collectInSlices } from '../../sdk/time-slices.js'
import type { BuiltTransaction } from './build.js'
import { createPlan, type PlanOptions } from './created-plan.js'
import type { ClaimedPlan, TransactionDependencies } from './transaction-operations.js'
import type { PendingTx, RestoreOptions } from './records.js'
import { inputsToSign, type Signable } from './sign/inputs-to-sign.js'
import { toScriptKey } from '../../model/utxo.js'
import { checkMaxFee, requireWithin } from './payment-fee.js'
import { checkPaidOutputs } from './settings.js'

/** A payment of an earlier process. */
interface RestoredPayment extends Pick<SerializablePayment, 'replaces' | 'lookupStart' | 'change'> {
  readonly built: BuiltTransaction
}

/** Ms for which a restored payment that is not submitted reserves its inputs: it may be abandoned. */
export const RESTORED_TIMEOUT = 600_000

/**
 * Parses a serialized payment. Throws `ChainError` (`invalid-argument`) where it is damaged, changed or of another
 * network. Its signatures are not verified yet.
 */
export function readRestored(serialized: unknown, network: ChainNetwork): RestoredPayment {
  const { transaction, spent, ...record } = parsePayment(serialized, network)
  const scripts = transaction.inputs.map(({ signatureScript }) => signatureScript)
  const isUnsigned = scripts.every((script) => script === '')
  const isSpendable = transaction.inputs.every((input, at) => isKeyOrSigned(input, spent[at]))
  if (!isSpendable || (!isUnsigned && scripts.includes(''))) throw notRestorable()
  const fee = feeOf(transaction, spent)
  if (fee < 0n || scripts.length === 0) throw notRestorable()
  const utxos = spent.map((each, index) => ({
    ...each,
    outpoint: outpointOf(transaction, index),
  }))
  const mass = massOf(transaction, spent)
  return { built: { id: transactionId(transaction), transaction, spent: utxos, fee, mass }, ...record }
}

/** Whether it has signatures; either all inputs have one, or none. */
export const isSigned = ({ transaction: { inputs } }: Pick<BuiltTransaction, 'transaction'>): boolean =>
  inputs.some(({ signatureScript }) => signatureScript !== '')

/**
 * Verifies the signatures, if it has any: they commit to amounts and scripts of inputs and outputs. Rejects with
 * `ChainError` (`invalid-argument`).
 */
export async function checkSignatures({ built }: RestoredPayment): Promise<void> {
  const { transaction, spent } = built
  if (!isSigned(built)) return
  const { isSignatureScript } = await loadCode(() => import('./sign/check-signature.js'))
  const signers = spent.map((output) => (isScriptHash(output) ? [] : [output]))
  const check = function* (plan: readonly Signable[]): Generator<boolean> {
    for (const input of inputsToSign(plan))
      yield isSignatureScript(transaction.inputs[input.inputIndex]?.signatureScript ?? '', input)
  }
  const checks = await collectInSlices(check([{ transaction, spent, signers }]))
  if (checks.includes(false) || !(await areFinal(built))) throw notRestorable()
}

/** Whether the signatures of inputs of several signers are valid and enough. */
async function areFinal({ transaction, spent }: BuiltTransaction): Promise<boolean> {
  if (!spent.some(isScriptHash)) return true
  const { isFinalScript } = await loadCode(() => import('../cosigning/check-final-script.js'))
  const parts = sighashParts(transaction)
  const check = function* (): Generator<boolean> {
    for (const [index, output] of spent.entries())
      if (isScriptHash(output)) yield isFinalScript(transaction, index, spent, parts)
  }
  return !(await collectInSlices(check())).includes(false)
}

const isScriptHash = ({ scriptPublicKey }: SpentOutput): boolean => addressVersionOf(scriptPublicKey) === 'ScriptHash'

/** The payment, to be signed or submitted; reserves its inputs where `reserves`. Throws as `PendingTx.sign` does. */
export function createRestored(
  { built, replaces, lookupStart, change }: RestoredPayment,
  { reserves, hasSignatures, ...options }: RestoredOptions,
  dependencies: TransactionDependencies,
): RestoredPlan {
  const timeout = reserves ? RESTORED_TIMEOUT : 0
  const plan = createPlan([built], { ...options, replaces, change, restored: { lookupStart, timeout } }, dependencies)
  const restored = plan.transactions[0] ?? fail()
  if (hasSignatures) restored.restoreScripts(built.transaction.inputs.map(({ signatureScript }) => signatureScript))
  if (reserves) restored.hold(RESTORED_TIMEOUT)
  return { transaction: restored.transaction, claimed: plan.claimed }
}

/** How a payment is restored. */
interface RestoredOptions extends Pick<PlanOptions, 'network' | 'ecdsa' | 'signedAmounts' | 'made' | 'extension'> {
  readonly reserves: boolean
  readonly hasSignatures: boolean
}

/** A restored payment, with what other tabs see of it. */
interface RestoredPlan {
  readonly transaction: PendingTx
  readonly claimed: ClaimedPlan
}

/**
 * Whether an input spends the output of one key, or that of several signers with all of their signatures: unsigned,
 * such a payment is passed on as text.
 */
function isKeyOrSigned({ signatureScript, sigOpCount }: TransactionInput, spent: SpentOutput | undefined): boolean {
  const version = spent && addressVersionOf(spent.scriptPublicKey)
  return version === 'ScriptHash' ? signatureScript !== '' : KEY_VERSIONS.includes(version) && sigOpCount === 1
}

const KEY_VERSIONS: readonly (string | undefined)[] = ['PubKey', 'PubKeyECDSA']

const outpointOf = ({ inputs }: Transaction, index: number) => inputs[index]?.previousOutpoint ?? fail()

/** Grams, with signatures of 66 bytes where it has none yet. */
export function massOf(transaction: Transaction, spent: readonly StoredOutput[]): bigint {
  const inputs = transaction.inputs.map((input) =>
    input.signatureScript === '' ? { ...input, signatureScript: SIGNED } : input,
  )
  const [relay, storage] = [relayMass({ ...transaction, inputs }), storageMass(transaction, spent)]
  return relay > storage ? relay : storage
}

const SIGNED = '00'.repeat(66)

/** Sompi; below zero where the outputs exceed what is spent. */
export const feeOf = ({ outputs }: Transaction, spent: readonly SpentOutput[]): bigint =>
  sum(spent.map(({ amount }) => amount)) - sum(outputs.map(({ value }) => value))

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

function fail(): never {
  throw notRestorable()
}

const notRestorable = (): Error =>
  invalidArgument(
    'serialized',
    'The serialized payment cannot be restored',
    'Its signatures or amounts do not fit: it was changed after serialize() returned it. Nothing was sent.',
  )

/**
 * Compares a stored payment with what its caller expects. Throws `ChainError`: `invalid-argument`, `fee-too-high`. An
 * argument that is no record is ignored: `payments.map(restore)` passes positions.
 */
export function checkRestoreOptions(
  { built }: RestoredPayment,
  given: unknown,
  network: ChainNetwork,
): { readonly reserves: boolean } {
  const options: RestoreOptions = typeof given === 'object' && given !== null ? given : {}
  refuseUnknown(options, NAMES)
  const { reserve = false, outputs } = options
  if (typeof reserve !== 'boolean') throw invalidArgument('reserve', '"reserve" must be true or false')
  const maxFee = checkMaxFee(options.maxFee)
  if (outputs !== undefined) requireOutputs(built, options, network)
  if (isSigned(built)) return { reserves: true }
  requireWithin({ maxFee, nodeFeeRate: undefined }, built.fee, built.mass)
  return { reserves: reserve }
}

const NAMES = ['maxFee', 'outputs', 'reserve'] as const satisfies readonly (keyof RestoreOptions)[]

function requireOutputs(
  { transaction }: RestoredPayment['built'],
  options: RestoreOptions,
  network: ChainNetwork,
): void {
  const expected = checkPaidOutputs(options, network)
  const isSame =
    expected.length === transaction.outputs.length &&
    transaction.outputs.every(({ value, scriptPublicKey }, at) => {
      const output = expected[at]
      return output?.value === value && toScriptKey(output.scriptPublicKey) === toScriptKey(scriptPublicKey)
    })
  if (!isSame) throw otherOutputs()
}

const otherOutputs = (): ChainError =>
  invalidArgument(
    'outputs',
    'The serialized payment has other outputs',
    'Name all of them in order, change included. If they are right, the stored payment was changed. Nothing was sent.',
  )
