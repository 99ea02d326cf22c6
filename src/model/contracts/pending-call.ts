import { BLOCKS_AFTER_MEMPOOL } from '../unconfirmed-transaction.js'
import { toOutpointKey, type Outpoint } from '../utxo.js'

/** An output of a contract. */
export interface KnownOutput {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly value: bigint
  /** Null where it is not known. */
  readonly state: unknown
  /** How many unconfirmed own calls it depends on; 0 for an output of the chain. */
  readonly depth: number
}

/** An own call, or an own genesis, that a node has. */
export interface RelayedCall {
  readonly transactionId: string
  /** What it spends of the contract; nothing where it begins it. */
  readonly spent: readonly Outpoint[]
  /** What it creates of the contract. */
  readonly created: readonly Omit<KnownOutput, 'depth'>[]
  /** How many unconfirmed own calls its outputs depend on. */
  readonly depth: number
}

/** An own call that no chain block has accepted. */
export interface PendingCall extends RelayedCall {
  readonly phase: CallPhase
}

/**
 * Where an own call is, as far as the node shows it:
 *
 * - `listed`: relayed by a submission, or in the mempool as of the last read.
 * - `left`: no longer there; `blocks` times the chain was followed further since then, because a block may have it that
 *   no chain block has merged.
 * - `dropped`: not in the mempool after that either. It is shown again where mempool or chain have it, or its plan
 *   submits it again: nothing proves that it never will be accepted.
 */
export type CallPhase = { readonly step: 'listed' | 'dropped' } | { readonly step: 'left'; readonly blocks: number }

const LISTED: CallPhase = { step: 'listed' }
const DROPPED: CallPhase = { step: 'dropped' }

export const toPending = (call: RelayedCall): PendingCall => ({ ...call, phase: LISTED })

/** After a read of the mempool; `before`: its phase when the read began. The same object where nothing changes. */
export function readPending(call: PendingCall, before: CallPhase, isListed: boolean): PendingCall {
  const { step } = call.phase
  if (isListed) return step === 'listed' ? call : { ...call, phase: LISTED }
  if (step === 'listed') return { ...call, phase: { step: 'left', blocks: 0 } }
  const isOver = before.step === 'left' && before.blocks >= BLOCKS_AFTER_MEMPOOL
  return step === 'left' && isOver ? { ...call, phase: DROPPED } : call
}

/** After the chain was followed further, and has not accepted it. */
export const countBlock = (call: PendingCall): PendingCall =>
  call.phase.step === 'left' ? { ...call, phase: { step: 'left', blocks: call.phase.blocks + 1 } } : call

export const isDropped = ({ phase }: PendingCall): boolean => phase.step === 'dropped'

/** The calls whose inputs are there, without some and those that are chained on them. */
export function keepCalls(
  pending: readonly PendingCall[],
  outputs: readonly KnownOutput[],
  isLeftOut: (call: PendingCall) => boolean = () => false,
): readonly PendingCall[] {
  if (pending.length === 0) return pending
  const isSpent = finderOf(pending.flatMap(({ spent }) => spent))
  const available = new Set(outputs.flatMap(({ outpoint }) => (isSpent(outpoint) ? [toOutpointKey(outpoint)] : [])))
  const kept: PendingCall[] = []
  for (const call of pending) {
    if (isLeftOut(call) || !call.spent.every((outpoint) => available.has(toOutpointKey(outpoint)))) continue
    kept.push({ ...call, depth: 1 + depthOf(call, kept) })
    for (const { outpoint } of call.created) available.add(toOutpointKey(outpoint))
  }
  return kept
}

/** The greatest depth of the own calls whose outputs a call spends. */
const depthOf = ({ spent }: RelayedCall, before: readonly RelayedCall[]): number => {
  const ids = new Set(spent.map(({ transactionId }) => transactionId))
  return before.reduce((most, { transactionId, depth }) => (ids.has(transactionId) ? Math.max(most, depth) : most), 0)
}

/** What is unspent after some calls. */
export const outputsAfter = (outputs: readonly KnownOutput[], calls: readonly RelayedCall[]): readonly KnownOutput[] =>
  calls.reduce((unspent, { spent, created, depth }) => {
    const isSpent = finderOf(spent)
    const remaining = unspent.filter(({ outpoint }) => !isSpent(outpoint))
    return [...remaining, ...created.map((output) => ({ ...output, depth }))]
  }, outputs)

/** Whether an outpoint is one of some. A key is made only for outputs of their transactions: making it costs. */
function finderOf(outpoints: readonly Outpoint[]): (outpoint: Outpoint) => boolean {
  const [ids, keys] = [
    new Set(outpoints.map(({ transactionId }) => transactionId)),
    new Set(outpoints.map(toOutpointKey)),
  ]
  return (outpoint) => ids.has(outpoint.transactionId) && keys.has(toOutpointKey(outpoint))
}
