import { isMature } from '../../../model/spendable.js'
import {
  type Transaction,
  LOCK_TIME_THRESHOLD,
  MAX_SEQUENCE,
  SEQUENCE_LOCK_DISABLED,
  SEQUENCE_LOCK_MASK,
} from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { MAX_SOMPI } from '../../../model/amount.js'
import { UNACCEPTED_DAA_SCORE, GHOSTDAG_K, MAX_COINBASE_SCRIPT } from '../params.js'
import { formatOutpoint, type Violation } from '../../../model/transaction-rules/violation.js'
import { addressVersionOf, type AddressVersion } from '../../../model/address.js'
import { BoundedMap } from '../../../model/bounded-collections.js'
import { storageMass, isCoinbase } from '../../../model/mass.js'
import { validateScripts } from '../../../script/verify.js'
import type { KnownTransaction } from '../transaction.js'
import { notStandard } from '../../../model/transaction-rules/relay.js'
import { countSignatureOperations } from '../../../script/run-script.js'
import { covenantIdOf } from '../../../model/covenant-id.js'

/** Where a transaction is validated: the scores of its including block or of virtual. */
export interface InclusionContext {
  readonly daaScore: bigint
  /** Unix milliseconds. */
  readonly pastMedianTime: bigint
  readonly coinbaseMaturity: bigint
}

/** The lock time must be reached, or every input has the maximum sequence. */
export function validateLockTime({ lockTime, inputs }: Transaction, inclusion: InclusionContext): Violation {
  if (lockTime === 0n) return undefined
  const current = lockTime < LOCK_TIME_THRESHOLD ? inclusion.daaScore : inclusion.pastMedianTime
  const locked = lockTime < current ? -1 : inputs.findIndex(({ sequence }) => sequence !== MAX_SEQUENCE)
  return locked === -1 ? undefined : `transaction input #${String(locked)} is not finalized`
}

/**
 * The message is that of the mempool. A block with such a transaction is disqualified from the chain without a message.
 */
export function validateMaturity(
  spent: readonly UtxoEntry[],
  { daaScore, coinbaseMaturity }: InclusionContext,
): Violation {
  const index = spent.findIndex((entry) => !isMature(entry, daaScore, coinbaseMaturity))
  const entry = spent[index]
  if (entry === undefined) return undefined
  return (
    `one of the transaction inputs spends an immature UTXO: transaction input #${String(index)} tried to spend coinbase ` +
    `outpoint ${formatOutpoint(entry.outpoint)} with daa score of ${String(entry.blockDaaScore)}\n    while the merging ` +
    `block daa score is ${String(daaScore)} and the coinbase maturity period of ${String(coinbaseMaturity)} hasn't passed yet`
  )
}

export function validateAmounts({ outputs }: Transaction, spent: readonly UtxoEntry[]): Violation {
  const available = spent.reduce((sum, { amount }) => sum + amount, 0n)
  if (available > MAX_SOMPI)
    return `transaction total inputs spending amount is higher than the max allowed of ${String(MAX_SOMPI)}`
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  return paid > available
    ? `transaction tries to spend ${String(paid)} while its total inputs amount is ${String(available)}`
    : undefined
}

/** Inputs minus outputs, in sompi; negative if the outputs exceed the inputs. */
export function feeOf({ outputs }: Transaction, spent: readonly UtxoEntry[]): bigint {
  const available = spent.reduce((sum, { amount }) => sum + amount, 0n)
  return outputs.reduce((sum, { value }) => sum - value, available)
}

/** The age of each spent UTXO, in DAA score, must reach the sequence of its input. */
export function validateSequenceLocks(
  { inputs }: Transaction,
  spent: readonly UtxoEntry[],
  { daaScore }: InclusionContext,
): Violation {
  const isLocked = inputs.some(({ sequence }, index) => {
    if ((sequence & SEQUENCE_LOCK_DISABLED) !== 0n) return false
    return scoreOf(spent[index]) + (sequence & SEQUENCE_LOCK_MASK) > daaScore
  })
  return isLocked ? 'one of the transaction sequence locks conditions was not met' : undefined
}

/** A UTXO created in the mempool has the score -1, so that it meets common sequences. */
function scoreOf(entry: UtxoEntry | undefined): bigint {
  if (entry === undefined || entry.blockDaaScore === UNACCEPTED_DAA_SCORE) return -1n
  return entry.blockDaaScore
}

const CACHE_SIZE = 50_000
const KEY_SCRIPTS = /*#__PURE__*/ new Set<AddressVersion | undefined>(['PubKey', 'PubKeyECDSA'])

/**
 * Verifies scripts and committed mass once per transaction hash. The hash determines both, because outpoints identify
 * the spent UTXOs; only the DAA scores of those change, from the mempool to a block and by a reorg, and only scripts
 * behind a hash can read them. Any other transaction verified for the mempool is not verified again.
 */
export class VerificationCache {
  readonly #keys = new BoundedMap<string, true>(CACHE_SIZE)

  /** Takes a transaction as verified, whatever its scripts say. */
  trust({ hash }: KnownTransaction): void {
    this.#keys.set(hash, true)
  }

  validate(known: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
    const key = cacheKey(known, spent)
    if (this.#keys.has(known.hash) || this.#keys.has(key)) return undefined
    const violation = validateCommittedMass(known, spent) ?? validateScripts(known.transaction, spent)
    if (violation === undefined) this.#keys.set(key, true)
    return violation
  }
}

function cacheKey({ hash }: KnownTransaction, spent: readonly UtxoEntry[]): string {
  const isByKeys = spent.every(({ scriptPublicKey }) => KEY_SCRIPTS.has(addressVersionOf(scriptPublicKey)))
  return isByKeys ? hash : [hash, ...spent.map(({ blockDaaScore }) => blockDaaScore)].join(':')
}

function validateCommittedMass({ transaction }: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
  const mass = storageMass(transaction, spent)
  return mass === transaction.mass
    ? undefined
    : `calculated contextual mass (including storage mass) ${String(mass)} is not equal to the committed mass field ${String(transaction.mass)}`
}

/** Context-free rules of coinbase transactions. */
export function validateCoinbase(transaction: Transaction): Violation {
  if (!isCoinbase(transaction)) return undefined
  const { inputs, outputs, mass } = transaction
  if (inputs.length > 0) return `coinbase transaction has ${String(inputs.length)} inputs while none are expected`
  if (mass > 0n) return 'coinbase mass commitment field is not zero'
  const max = GHOSTDAG_K + 2
  if (outputs.length > max)
    return `coinbase transaction has ${String(outputs.length)} outputs while at most ${String(max)} are expected`
  const tooLong = outputs.findIndex(({ scriptPublicKey }) => scriptPublicKey.script.length > 2 * MAX_COINBASE_SCRIPT)
  return tooLong === -1 ? undefined : `script public key of coinbase output #${String(tooLong)} is too long`
}

/** Maximum signature operations of a redeem script. */
const MAX_SIGNATURE_OPERATIONS = 15

/** The standardness rule of inputs; the others are in `model/transaction-rules`. */
export function validateStandardInputs({ transaction, id }: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
  for (const [index, { scriptPublicKey }] of spent.entries()) {
    const version = addressVersionOf(scriptPublicKey)
    if (version === undefined) return notStandard(id, `transaction input ${String(index)}: non-standard script form`)
    if (version !== 'ScriptHash') continue
    const count = countSignatureOperations(transaction.inputs[index]?.signatureScript ?? '')
    if (count > MAX_SIGNATURE_OPERATIONS)
      return notStandard(
        id,
        `transaction input #${String(index)} has ${String(count)} signature operations which is more than the allowed max ` +
          `amount of ${String(MAX_SIGNATURE_OPERATIONS)}`,
      )
  }
  return undefined
}

/**
 * Validates the covenant ids of outputs. Either the authorizing input has the same covenant id, or the covenant begins
 * here and its id is the hash of the outpoint of that input and of all outputs that begin it.
 */
export function validateCovenantIds({ inputs, outputs }: Transaction, spent: readonly UtxoEntry[]): Violation {
  const bindings = [...outputs.entries()].flatMap(([index, { covenant, ...output }]) =>
    covenant ? [{ index, ...output, ...covenant }] : [],
  )
  for (const { index, authorizingInput } of bindings)
    if (authorizingInput >= inputs.length)
      return `covenants error: output #${index} covenant authorizing input index ${authorizingInput} is out of bounds`
  for (const { authorizingInput, covenantId } of bindings) {
    const outpoint = inputs[authorizingInput]?.previousOutpoint
    const isContinuation = spent[authorizingInput]?.covenantId === covenantId
    if (outpoint === undefined || isContinuation) continue
    const begun = bindings.filter(
      (other) => other.covenantId === covenantId && other.authorizingInput === authorizingInput,
    )
    if (covenantId !== covenantIdOf(outpoint, begun))
      return `covenants error: input #${authorizingInput} and outputs with covenant id ${covenantId} do not correspond to the expected genesis hashing`
  }
  return undefined
}
