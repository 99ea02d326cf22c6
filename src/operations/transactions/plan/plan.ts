import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import { candidates, type Candidate, type SelectionPool } from './candidates.js'
import { computeChange, type ChangeOutcome, compound, type Compounded } from './change.js'
import { createDraft, totalOf, type Draft } from './draft.js'
import type { FeePolicy } from './fee.js'
import { canSpendInputs, createTemplate, type TransactionTemplate } from './template.js'

/** A validated payment. */
export interface PlanRequest {
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Hex. */
  readonly payload: string
  readonly policy: FeePolicy
  /** Sompi, on the final transaction. */
  readonly priorityFee: bigint
  /** Inputs of a transaction that what signs it can sign. @default all that fit */
  readonly maxInputs?: number | undefined
}

/** Either the transactions in the order of submission, or the best attempt that failed. */
export type Planned =
  | { readonly kind: 'planned'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'impossible'; readonly template: TransactionTemplate; readonly attempt: Attempt | undefined }

/** A candidate that failed, and why. */
export interface Attempt {
  readonly candidate: Candidate
  readonly outcome: Exclude<ChangeOutcome, { kind: 'covered' }>
}

/** Selects UTXOs, change and fees. Deterministic. The UTXOs of the pool are above the dust limit. */
export function plan(request: PlanRequest, pool: SelectionPool): Planned {
  const template = createTemplate(request.outputs, request.change, { ...request, input: request.policy.input })
  if (!canSpendInputs(template, minimumInputs(pool))) return { kind: 'impossible', template, attempt: undefined }
  return request.outputs.length === 0
    ? planConsolidation(template, pool, request.policy)
    : planPayment(template, pool, request.policy)
}

/** The smallest number of inputs. */
export const minimumInputs = ({ fixed }: Pick<SelectionPool, 'fixed'>): number => Math.max(1, fixed.length)

/** Selects the UTXOs that cover a template. */
export function planPayment(template: TransactionTemplate, pool: SelectionPool, policy: FeePolicy): Planned {
  let best: Attempt | undefined
  for (const candidate of candidates(template, pool, policy)) {
    const outcome = computeChange(template, candidate.spent, policy)
    if (outcome.kind === 'covered') return planned(template, candidate, outcome)
    best = better(best, { candidate, outcome })
  }
  if (best?.outcome.kind === 'unusable-change' && policy.kind === 'minimum') {
    return planned(template, best.candidate, { change: 0n, fee: best.outcome.fee })
  }
  return { kind: 'impossible', template, attempt: best }
}

/** Spends all UTXOs into one output; with fixed UTXOs, only those. */
function planConsolidation(template: TransactionTemplate, pool: SelectionPool, policy: FeePolicy): Planned {
  const compounded = compoundAll(pool, template, policy)
  if (compounded === undefined) return { kind: 'impossible', template, attempt: undefined }
  const candidate = { spent: totalOf(compounded.utxos), compounded: () => compounded }
  const outcome = computeChange(template, candidate.spent, policy)
  if (outcome.kind === 'covered') return planned(template, candidate, outcome)
  return { kind: 'impossible', template, attempt: { candidate, outcome } }
}

function compoundAll(
  { fixed, utxos }: SelectionPool,
  template: TransactionTemplate,
  policy: FeePolicy,
): Compounded | undefined {
  if (fixed.length > 0) return { earlier: [], utxos: fixed }
  return utxos.length === 0 ? undefined : compound(utxos, template, policy)
}

function planned(
  template: TransactionTemplate,
  candidate: Candidate,
  amounts: { change: bigint; fee: bigint },
): Planned {
  const { earlier, utxos } = candidate.compounded()
  return { kind: 'planned', drafts: [...earlier, createDraft(template, utxos, amounts)] }
}

/** The failure to report: unusable change with the smallest excess, then exceeded mass, then insufficient funds. */
function better(known: Attempt | undefined, found: Attempt): Attempt {
  if (known === undefined) return found
  const a = known.outcome
  const b = found.outcome
  if (b.kind === 'unusable-change' && (a.kind !== 'unusable-change' || b.excess < a.excess)) return found
  return a.kind === 'insufficient' && b.kind === 'mass-exceeded' ? found : known
}
