import { finish, type Steps } from '../../loading/steps.js'
import { addressVersionOf, toAddress } from '../../model/address.js'
import { computeMass, storageMass, transientMass } from '../../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { ecdsaSighash, sighash, SIGHASH_TYPES, sighashParts, type SpentOutput } from '../../model/sighash.js'
import { transactionId } from '../../model/transaction-id.js'
import { relayViolation } from '../../model/transaction-rules/relay.js'
import type { Transaction } from '../../model/transaction.js'
import { readSafeJson, UnreadableTransaction, type ReadTransaction } from './read-safe-json.js'
import { isSignatureScript } from './sign/check-signature.js'

export interface VerifyTransactionOptions {
  readonly network: ChainNetwork
  /**
   * The spent outputs in the order of the inputs, as a node states them (`rpc.getUtxosByOutpoints`).
   * @default those that the transaction names, which prove nothing but that they were signed
   */
  readonly spent?: readonly SpentOutput[] | undefined
  /** Bytes of the text or of the record as JSON, at most. @default 60_000 */
  readonly maxBytes?: number | undefined
  /** @default 100 */
  readonly maxInputs?: number | undefined
  /** @default 2 */
  readonly maxOutputs?: number | undefined
}

/**
 * Why a transaction is refused. `limits`: too large, or too many inputs or outputs. `malformed`: a field without its
 * canonical form. `id`: another id than that of its fields. `spent`: it names other outputs than `spent`, or none.
 * `rules`: every node would refuse it, for its masses, its fee or its fields. `signature`: an input
 * has no valid signature (SIGHASH_ALL), or spends no output of a public key.
 */
export type TransactionRefusal = 'limits' | 'malformed' | 'id' | 'spent' | 'rules' | 'signature'

export interface VerifiedTransaction {
  readonly isValid: true
  /** Computed from the fields. */
  readonly id: string
  /** With the storage mass that it must commit to. */
  readonly transaction: Transaction
  /** The spent outputs that the signatures were verified over. */
  readonly spent: readonly SpentOutput[]
  /** The addresses of the spent outputs, in the order of the inputs; undefined for a script without address. */
  readonly addresses: readonly (string | undefined)[]
  /** Sompi. */
  readonly fee: bigint
  /** Grams. */
  readonly computeMass: bigint
  /** Grams. */
  readonly storageMass: bigint
  /** Grams. */
  readonly transientMass: bigint
}

export interface RefusedTransaction {
  readonly isValid: false
  readonly reason: TransactionRefusal
  /** In words, for logs and developers. Never quotes more than numbers of the transaction. */
  readonly message: string
}

export type TransactionVerification = VerifiedTransaction | RefusedTransaction

/**
 * Verifies a signed transaction of a stranger: limits, canonical fields, id, masses, fee, and the signatures of all
 * inputs, over given spent outputs or those that it names. Reads `PendingTx.serialize()`, the safe JSON of the WASM SDK
 * and that of kaspa-x402, as text or record. Pure: no call, no reservation; whether the outputs exist is not known.
 * Never throws for what it is given.
 */
export function verifyTransaction(serialized: unknown, options: VerifyTransactionOptions): TransactionVerification {
  return finish(verifySteps(serialized, options))
}

/** The same in steps: one for all that is cheap, and one for each signature, which takes 2 ms. */
export function* verifySteps(serialized: unknown, options: VerifyTransactionOptions): Steps<TransactionVerification> {
  const checked = checkFields(serialized, options)
  if (!checked.isValid) return checked
  const unsigned = yield* firstUnsigned(checked)
  return unsigned === -1 ? checked : refused('signature', `The signature of input ${unsigned} is not that of its key`)
}

/** Everything but the signatures: what it says of itself is then possible, but need not be signed. */
export function checkFields(serialized: unknown, options: VerifyTransactionOptions): TransactionVerification {
  const { maxBytes = 60_000, maxInputs = 100, maxOutputs = 2 } = options
  const text = typeof serialized === 'string' ? serialized : toText(serialized)
  if (text === undefined) return refused('malformed', 'It is no JSON')
  if (text.length > maxBytes) return refused('limits', `It has more than ${maxBytes} bytes`)
  const read = attempt(() => readSafeJson(parse(text), { maxInputs, maxOutputs })) // of a record what was measured
  if (typeof read === 'string') return refused(read.startsWith('There are') ? 'limits' : 'malformed', read)
  return checkRead(read, options)
}

function checkRead(read: ReadTransaction, options: VerifyTransactionOptions): TransactionVerification {
  const { transaction } = read
  const id = transactionId(transaction)
  if (read.id !== undefined && read.id !== id) return refused('id', 'Its id is not that of its fields')
  const spent = options.spent ?? read.spent
  if (spent?.length !== transaction.inputs.length) return refused('spent', 'It does not say what it spends')
  if (options.spent !== undefined && read.spent !== undefined && !isSame(options.spent, read.spent))
    return refused('spent', 'It names other outputs than it spends')
  if (spent.some(({ amount }) => amount === 0n)) return refused('spent', 'It spends an output without amount')
  const violation = relayViolation({ id, transaction, spent })
  if (violation !== undefined) return refused('rules', violation)
  const committed = storageMass(transaction, spent)
  if (transaction.mass !== 0n && transaction.mass !== committed)
    return refused('rules', `It commits to a storage mass of ${transaction.mass}, and has ${committed}`)
  const { addressPrefix } = NETWORKS[options.network]
  return {
    isValid: true,
    id,
    transaction: { ...transaction, mass: committed },
    spent,
    addresses: spent.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, addressPrefix)),
    fee: sum(spent.map(({ amount }) => amount)) - sum(transaction.outputs.map(({ value }) => value)),
    computeMass: computeMass(transaction),
    storageMass: committed,
    transientMass: transientMass(transaction),
  }
}

/** The first input without a valid signature of all outputs (SIGHASH_ALL) by the key of its output; -1 for none. */
export function* firstUnsigned({
  transaction,
  spent,
}: Pick<VerifiedTransaction, 'transaction' | 'spent'>): Steps<number> {
  const parts = sighashParts(transaction)
  for (const [index, { scriptPublicKey }] of spent.entries()) {
    const version = addressVersionOf(scriptPublicKey)
    if (version !== 'PubKey' && version !== 'PubKeyECDSA') return index
    yield
    const hash = version === 'PubKey' ? sighash : ecdsaSighash
    const signed = { scriptPublicKey, sighash: hash(transaction, index, spent, SIGHASH_TYPES.All, parts) }
    if (!isSignatureScript(transaction.inputs[index]?.signatureScript ?? '', signed)) return index
  }
  return -1
}

const isSame = (given: readonly SpentOutput[], named: readonly SpentOutput[]): boolean =>
  given.every(({ amount, scriptPublicKey: { version, script } }, index) => {
    const other = named[index]
    return (
      other?.amount === amount && other.scriptPublicKey.version === version && other.scriptPublicKey.script === script
    )
  })

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const refused = (reason: TransactionRefusal, message: string): RefusedTransaction => ({
  isValid: false,
  reason,
  message,
})

/** The text of a record with bigints; undefined where it has none. */
function toText(value: unknown): string | undefined {
  try {
    const text: unknown = JSON.stringify(value, (_, field: unknown) =>
      typeof field === 'bigint' ? String(field) : field,
    )
    return typeof text === 'string' ? text : undefined // undefined for functions and undefined
  } catch {
    return undefined // it contains itself, is nested too deeply, or throws where it is read
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON, or nested too deeply
  }
}

function attempt(read: () => ReadTransaction): ReadTransaction | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableTransaction) return error.message
    throw error
  }
}
