import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import { candidates, type Candidate, type Choice } from './candidates.js'
import { gather, type Gathered } from './compound.js'
import { createDraft, totalOf, type Draft } from './draft.js'
import type { FeePolicy } from './fee.js'
import { createFrame, hasRoomFor, roomOf, type Frame } from './frame.js'
import { settle, type Settlement } from './settle.js'

/** What is to be paid, checked. */
export interface Order {
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Hex. */
  readonly payload: string
  readonly policy: FeePolicy
  /** Sompi, on the final transaction. */
  readonly priorityFee: bigint
}

/** Either the transactions, in the order in which they must go out, or the nearest that one came to them. */
export type Planned =
  | { readonly kind: 'planned'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'impossible'; readonly frame: Frame; readonly attempt: Attempt | undefined }

/** Coins that were tried, and why they would not do. */
export interface Attempt {
  readonly candidate: Candidate
  readonly settlement: Exclude<Settlement, { kind: 'settled' }>
}

/**
 * Chooses coins, change and fees. Pure: equal coins give equal transactions. The coins to choose from are all worth
 * spending.
 */
export function plan(order: Order, choice: Choice): Planned {
  const frame = createFrame(order.outputs, order.change, order)
  if (!hasRoomFor(frame, leastInputs(choice))) return { kind: 'impossible', frame, attempt: undefined }
  return order.outputs.length === 0 ? planMove(frame, choice, order.policy) : planPayment(frame, choice, order.policy)
}

/** How many coins are spent at least. */
export const leastInputs = ({ fixed }: Pick<Choice, 'fixed'>): number => Math.max(1, fixed.length)

function planPayment(frame: Frame, choice: Choice, policy: FeePolicy): Planned {
  let nearest: Attempt | undefined
  for (const candidate of candidates(frame, choice, policy)) {
    const settlement = settle(frame, candidate.spent, policy)
    if (settlement.kind === 'settled') return planned(frame, candidate, settlement)
    nearest = nearer(nearest, { candidate, settlement })
  }
  if (nearest?.settlement.kind === 'odd' && policy.kind === 'minimum') {
    return planned(frame, nearest.candidate, { change: 0n, fee: nearest.settlement.fee })
  }
  return { kind: 'impossible', frame, attempt: nearest }
}

/** All coins into one; where some are fixed, those alone. */
function planMove(frame: Frame, choice: Choice, policy: FeePolicy): Planned {
  const gathered = gatherAll(choice, roomOf(frame), policy)
  if (gathered === undefined) return { kind: 'impossible', frame, attempt: undefined }
  const candidate = { spent: totalOf(gathered.coins), gathered: () => gathered }
  const settlement = settle(frame, candidate.spent, policy)
  if (settlement.kind === 'settled') return planned(frame, candidate, settlement)
  return { kind: 'impossible', frame, attempt: { candidate, settlement } }
}

function gatherAll({ fixed, coins }: Choice, room: number, policy: FeePolicy): Gathered | undefined {
  if (fixed.length > 0) return { earlier: [], coins: fixed }
  return coins.length === 0 ? undefined : gather(coins, room, policy)
}

function planned(frame: Frame, candidate: Candidate, settled: { change: bigint; fee: bigint }): Planned {
  const { earlier, coins } = candidate.gathered()
  return { kind: 'planned', drafts: [...earlier, createDraft(frame, coins, settled)] }
}

/** Of two failures the one that says more: coins that do but for an odd rest, the smaller the better, before anything else. */
function nearer(known: Attempt | undefined, found: Attempt): Attempt {
  if (known === undefined) return found
  const a = known.settlement
  const b = found.settlement
  if (b.kind === 'odd' && (a.kind !== 'odd' || b.excess < a.excess)) return found
  return a.kind === 'short' && b.kind === 'too-heavy' ? found : known
}
