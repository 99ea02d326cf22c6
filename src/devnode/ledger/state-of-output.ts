import { blake2b256 } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { hashedScripts } from '../../script/run-input.js'
import { toSpendingContext } from '../../script/spending.js'
import type { LedgerTransaction } from './history.js'

/**
 * The state of an output of a contract, read from the redeem script behind its hash: one that began the covenant, or
 * one that the spent contracts built and hashed when they checked the transaction. Undefined where none fits.
 */
export function stateOfOutput<State>(
  creator: LedgerTransaction | undefined,
  scriptPublicKey: ScriptPublicKey,
  begun: readonly string[],
  readState: (redeemScript: string) => State | undefined,
): State | undefined {
  const candidates = [...begun, ...(creator === undefined ? [] : hashedBy(creator))]
  const redeemScript = candidates.find(
    (script) => `aa20${toHex(blake2b256(fromHex(script)))}87` === scriptPublicKey.script,
  )
  return redeemScript === undefined ? undefined : readState(redeemScript)
}

function hashedBy({ transaction, spent }: LedgerTransaction): readonly string[] {
  const known = spent.filter((utxo) => utxo !== undefined)
  if (known.length < spent.length) return []
  const context = toSpendingContext(transaction, known)
  return [...known.entries()].flatMap(([index, { covenantId }]) =>
    covenantId === undefined ? [] : hashedScripts(context, index),
  )
}
