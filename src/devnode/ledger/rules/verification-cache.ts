import { addressVersionOf, type AddressVersion } from '../../../model/address.js'
import { BoundedMap } from '../../../model/bounded-collections.js'
import { storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { validateScripts } from '../../../script/verify.js'
import type { KnownTransaction } from '../transaction.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'

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
