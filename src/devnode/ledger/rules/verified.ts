import { storageMass } from '../../../model/mass.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { objectToScripts } from '../script/verify.js'
import type { KnownTransaction } from '../transaction.js'
import type { Objection } from './objection.js'

/** How many transactions are remembered as verified. */
const REMEMBERED = 50_000

/**
 * Scripts and committed mass of transactions, judged once. Both follow from the transaction's hash alone, because its outpoints
 * name its coins, so that what entered the mempool need not be verified again in a block, nor after a reorg.
 */
export class Verified {
  readonly #hashes = new Set<string>()

  /** To be called where scripts and mass were found good elsewhere. */
  remember({ hash }: KnownTransaction): void {
    if (this.#hashes.size >= REMEMBERED) this.#forgetOldest()
    this.#hashes.add(hash)
  }

  object(known: KnownTransaction, spent: readonly UtxoEntry[]): Objection {
    if (this.#hashes.has(known.hash)) return undefined
    const objection = objectToCommittedMass(known, spent) ?? objectToScripts(known.transaction, spent)
    if (objection === undefined) this.remember(known)
    return objection
  }

  #forgetOldest(): void {
    const [oldest] = this.#hashes
    if (oldest !== undefined) this.#hashes.delete(oldest)
  }
}

function objectToCommittedMass({ transaction }: KnownTransaction, spent: readonly UtxoEntry[]): Objection {
  const mass = storageMass(transaction, spent)
  return mass === transaction.mass
    ? undefined
    : `calculated contextual mass (including storage mass) ${String(mass)} is not equal to the committed mass field ${String(transaction.mass)}`
}
