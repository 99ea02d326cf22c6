import { invalidArgument } from '../../errors/chain-error.js'
import { toAddress } from '../../model/address.js'
import { sompiToKaspa } from '../../model/amount.js'
import { MASS_LIMITS, computeMass, minimumFee, storageMass, transientMass } from '../../model/mass.js'
import { NETWORKS, isChainNetwork, type ChainNetwork } from '../../model/network.js'
import { parsePayment } from '../../model/serialized-payment.js'
import { toTransaction, type SerializedTransaction, type TransactionLike } from '../../model/serialized-transaction.js'
import type { SpentOutput } from '../../model/sighash.js'
import { transactionId } from '../../model/transaction-id.js'
import { requireFields } from '../../model/transaction-rules/fields.js'
import type { Transaction } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { type ToolResult, escapeUntrusted } from './tool.js'

/** A transaction with what is known of it. */
interface Known {
  readonly network: ChainNetwork
  readonly transaction: Transaction
  /** Undefined where the record has no spent outputs. */
  readonly spent?: readonly SpentOutput[] | undefined
  readonly change?: ScriptPublicKey | undefined
}

/** The script of a signature and its length byte: what an input grows by when it is signed. */
const SIGNED = '00'.repeat(66)

/** Explains the unsigned transactions of a payment, in the order in which they are submitted. */
export function explainPlan(plan: readonly unknown[], network: ChainNetwork): ToolResult {
  const known = plan.map((one) => read(one, network))
  const fees = known.map(feeOf)
  const total = fees.every((fee) => fee !== undefined) ? fees.reduce((sum, fee) => sum + fee, 0n) : undefined
  const payloads = known.map(({ transaction }) => transaction.payload).filter((payload) => payload !== '')
  return {
    result: { transactions: known.map(explain), totalFee: total === undefined ? null : amountOf(total) },
    untrusted: payloads.length === 0 ? undefined : escapeUntrusted(payloads.map(describePayload).join('; ')),
  }
}

function read(given: unknown, network: ChainNetwork): Known {
  const like = given as Partial<SerializedTransaction>
  refuseSigned(like)
  const recorded: unknown = like.restore?.network
  if (like.restore !== undefined) return parsePayment(given, isChainNetwork(recorded) ? recorded : network)
  const transaction = toUnsigned(given)
  requireFields(transaction, 'transaction')
  return { network, transaction }
}

function refuseSigned({ inputs }: Partial<SerializedTransaction>): void {
  const isUnsigned = Array.isArray(inputs) && inputs.every((input: unknown) => signatureOf(input) === '')
  if (isUnsigned) return
  throw invalidArgument(
    'transaction',
    'The transaction is signed, or is none',
    'Pass what PendingTx.serialize() returns before it is signed. A transaction of the network: chain_transaction, by its id.',
  )
}

const signatureOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'signatureScript' in input ? input.signatureScript : undefined

/** Every failure is one error, which quotes nothing. */
function toUnsigned(given: unknown): Transaction {
  try {
    return toTransaction(given as TransactionLike)
  } catch {
    throw invalidArgument('transaction', 'The transaction cannot be read', 'Pass what PendingTx.serialize() returns.')
  }
}

function explain(known: Known) {
  const { network, transaction, spent } = known
  const signed = withSignatures(transaction)
  const fee = feeOf(known)
  const storage = spent === undefined ? undefined : storageMass(signed, spent)
  const least = minimumFee(signed)
  return {
    id: transactionId(transaction),
    network,
    inputs: transaction.inputs.map(({ previousOutpoint: { transactionId: id, index } }, position) => ({
      outpoint: `${id}:${index}`,
      amount: spent?.[position] === undefined ? null : amountOf(spent[position].amount),
    })),
    outputs: transaction.outputs.map((output) => ({
      address: toAddress(output.scriptPublicKey, NETWORKS[network].addressPrefix) ?? null,
      amount: amountOf(output.value),
      isChange: known.change?.script === output.scriptPublicKey.script,
    })),
    fee: fee === undefined ? null : amountOf(fee),
    minimumFee: amountOf(least),
    mass: { compute: computeMass(signed), transient: transientMass(signed), storage: storage ?? null },
    lockTime: transaction.lockTime,
    notes: notesOf(known, fee, least, storage),
  }
}

function notesOf({ transaction }: Known, fee: bigint | undefined, least: bigint, storage: bigint | undefined) {
  return [
    ...(transaction.outputs.length === 0 ? ['There is no output: everything is fee.'] : []),
    ...(fee === undefined ? ['The amounts of the inputs are not in the record, so the fee is unknown.'] : []),
    ...(fee !== undefined && fee < 0n ? ['The outputs are more than the inputs: no node takes it.'] : []),
    ...(fee !== undefined && fee >= 0n && fee < least ? ['The fee is below the minimum relay fee.'] : []),
    ...(storage !== undefined && storage > MASS_LIMITS.storage
      ? ['The storage mass is above the limit: an output is too small for the inputs.']
      : []),
  ]
}

const withSignatures = (transaction: Transaction): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input) => ({ ...input, signatureScript: SIGNED })),
})

function feeOf({ transaction, spent }: Known): bigint | undefined {
  if (spent === undefined) return undefined
  const outputs = transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
  return spent.reduce((sum, { amount }) => sum + amount, 0n) - outputs
}

const amountOf = (sompi: bigint) => ({ sompi, kas: sompi < 0n ? `-${sompiToKaspa(-sompi)}` : sompiToKaspa(sompi) })

/** Bytes as text where they are text. */
const describePayload = (payload: string): string =>
  `payload ${payload} = ${Buffer.from(payload, 'hex').toString('utf8')}`
