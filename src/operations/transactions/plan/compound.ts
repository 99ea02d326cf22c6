import { utxoOfDraft, createDraft, totalOf, type Utxo, type UtxoList, type Draft } from './draft.js'
import type { FeePolicy } from './fee.js'
import { createTemplate, inputCapacity, type TransactionTemplate } from './template.js'
import { computeChange } from './change.js'

/** UTXOs that fit one transaction, and the compound transactions that come before it. */
export interface Compounded {
  readonly earlier: readonly Draft[]
  readonly utxos: readonly Utxo[]
}

/**
 * Compounds UTXOs until no more are left than the transaction of a template can spend, each time as many as one of
 * preferred mass spends, in order. A compound output goes to the end of the list, so that it is spent again only after
 * all others. Undefined where the fees exceed what a compound transaction spends.
 */
export function compound(utxos: UtxoList, template: TransactionTemplate, policy: FeePolicy): Compounded | undefined {
  const capacity = inputCapacity(template)
  const earlier: Draft[] = []
  const queue = [...utxos]
  let first = 0
  while (queue.length - first > capacity) {
    const draft = compoundOnce(queue, first, template, policy)
    if (draft === undefined) return undefined
    earlier.push(draft)
    queue.push(utxoOfDraft(draft))
    first += draft.utxos.length
  }
  return { earlier, utxos: queue.slice(first) }
}

/**
 * One transaction that merges UTXOs from `at` on into one output, at the address of the first: the key that signs this
 * transaction also signs the next, even if the payment's change goes to another address.
 */
function compoundOnce(
  utxos: readonly Utxo[],
  at: number,
  { maxInputs }: TransactionTemplate,
  policy: FeePolicy,
): Draft | undefined {
  const first = utxos[at]
  if (first === undefined) return undefined
  const template = createTemplate([], first.scriptPublicKey, { maxInputs, input: policy.input })
  const merged = utxos.slice(at, at + inputCapacity(template))
  const outcome = computeChange(template, totalOf(merged), policy)
  return outcome.kind === 'covered' ? createDraft(template, merged, outcome) : undefined
}
