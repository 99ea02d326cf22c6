import { utxoOfDraft, createDraft, totalOf, type Utxo, type Draft } from './draft.js'
import type { FeePolicy } from './fee.js'
import { createTemplate, inputCapacity } from './template.js'
import { computeChange } from './change.js'

/** UTXOs that fit one transaction, and the compound transactions that come before it. */
export interface Compounded {
  readonly earlier: readonly Draft[]
  readonly utxos: readonly Utxo[]
}

/**
 * Compounds UTXOs until at most `capacity` are left, each time as many as a transaction of preferred mass spends, in order.
 * A compound output goes to the end of the list, so that it is spent again only after all others. Undefined where the fees
 * exceed what a compound transaction spends.
 */
export function compound(utxos: readonly Utxo[], capacity: number, policy: FeePolicy): Compounded | undefined {
  const earlier: Draft[] = []
  let remaining = utxos
  while (remaining.length > capacity) {
    const draft = compoundOnce(remaining, policy)
    if (draft === undefined) return undefined
    earlier.push(draft)
    remaining = [...remaining.slice(draft.utxos.length), utxoOfDraft(draft)]
  }
  return { earlier, utxos: remaining }
}

/**
 * One transaction that merges the first of `utxos` into one output, at the address of the first: the key that signs this
 * transaction also signs the next, even if the payment's change goes to another address.
 */
function compoundOnce(utxos: readonly Utxo[], policy: FeePolicy): Draft | undefined {
  const [first] = utxos
  if (first === undefined) return undefined
  const template = createTemplate([], first.scriptPublicKey)
  const merged = utxos.slice(0, inputCapacity(template))
  const outcome = computeChange(template, totalOf(merged), policy)
  return outcome.kind === 'covered' ? createDraft(template, merged, outcome) : undefined
}
