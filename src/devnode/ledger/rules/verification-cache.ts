import { BoundedMap } from '../../../model/bounded-map.js'
import { storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { validateScripts } from '../script/verify.js'
import type { KnownTransaction } from '../transaction.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'

const CACHE_SIZE = 50_000

/**
 * Verifies scripts and committed mass once per transaction hash. The hash determines both, because outpoints identify the spent
 * UTXOs. A transaction verified for the mempool is not verified again in a block or after a reorg.
 */
export class VerificationCache {
  readonly #hashes = new BoundedMap<string, true>(CACHE_SIZE)

  add({ hash }: KnownTransaction): void {
    this.#hashes.set(hash, true)
  }

  validate(known: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
    if (this.#hashes.has(known.hash)) return undefined
    const violation = validateCommittedMass(known, spent) ?? validateScripts(known.transaction, spent)
    if (violation === undefined) this.add(known)
    return violation
  }
}

function validateCommittedMass({ transaction }: KnownTransaction, spent: readonly UtxoEntry[]): Violation {
  const mass = storageMass(transaction, spent)
  return mass === transaction.mass
    ? undefined
    : `calculated contextual mass (including storage mass) ${String(mass)} is not equal to the committed mass field ${String(transaction.mass)}`
}
