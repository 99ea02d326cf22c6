import { isPossibleAmount } from '../../../model/amount.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import type { InvalidEntry, InvalidReason } from './invalid-entries.js'

export interface Validated {
  readonly valid: readonly UtxoEntry[]
  readonly invalid: readonly InvalidEntry[]
  /** The sum of the valid entries, in sompi. */
  readonly sum: bigint
}

/**
 * Separates the entries of one address that can exist from the others: they have the address's script, an amount within
 * the maximum supply, and a sum of at most `available` sompi.
 */
export function validateEntries(entries: readonly UtxoEntry[], script: ScriptPublicKey, available: bigint): Validated {
  let sum = 0n
  const invalid: InvalidEntry[] = []
  const valid = entries.filter((entry) => {
    const next = sum + entry.amount
    const reason = invalidReason(entry, script) ?? (next > available ? 'supply' : undefined)
    if (reason === undefined) sum = next
    else invalid.push({ outpoint: entry.outpoint, reason })
    return reason === undefined
  })
  return { valid: invalid.length === 0 ? entries : valid, invalid, sum }
}

function invalidReason({ scriptPublicKey, amount }: UtxoEntry, script: ScriptPublicKey): InvalidReason | undefined {
  if (!isSameScript(scriptPublicKey, script)) return 'script'
  return isPossibleAmount(amount) ? undefined : 'amount'
}

export const isSameScript = (a: ScriptPublicKey, b: ScriptPublicKey): boolean =>
  a.script === b.script && a.version === b.version
