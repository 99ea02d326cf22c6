import { toOutpointKey, type Outpoint, type OutpointKey } from '../utxo.js'
import {
  countBlock,
  isDropped,
  keepCalls,
  outputsAfter,
  readPending,
  toPending,
  type KnownOutput,
  type PendingCall,
  type RelayedCall,
} from './pending-call.js'

/** An own call whose input another transaction spends. */
export interface MovedCall {
  readonly transactionId: string
  /** The transaction that mempool or chain show as spending it. */
  readonly spentBy: string
}

/** What is known of an instance: its outputs on the chain, and the own calls that no chain block has accepted yet. */
export interface InstanceState {
  readonly outputs: readonly KnownOutput[]
  /** In the order of submission. */
  readonly pending: readonly PendingCall[]
  /** The last own call that another transaction has taken the place of, until another one is relayed. */
  readonly moved: MovedCall | null
}

/** What spends an output, by outpoint. */
export type Spenders = ReadonlyMap<OutpointKey, string>

export type InstanceEvent =
  /** A node has the call, and none that spends the same. */
  | { readonly type: 'relayed'; readonly call: RelayedCall }
  /** The chain has these outputs now, after it has accepted some transactions, or after a rollback. */
  | {
      readonly type: 'chain'
      readonly outputs: readonly KnownOutput[]
      readonly accepted: ReadonlySet<string>
      readonly spenders: Spenders
      /** Whether new chain blocks were followed, up to the end of the chain. */
      readonly isFurther: boolean
    }
  /** A read of the mempool; `sent`: the own calls as they were when it began. */
  | {
      readonly type: 'mempool'
      readonly spenders: Spenders
      /** The ids of its transactions. */
      readonly listed: ReadonlySet<string>
      readonly sent: readonly PendingCall[]
    }
  /** The chain has these outputs in place of one that another transaction has spent. */
  | { readonly type: 'continued'; readonly spent: Outpoint; readonly outputs: readonly KnownOutput[] }

/**
 * The next state of an instance, null before its outputs are known; the same object where the event has no meaning.
 */
export function reduceInstance(state: InstanceState | null, event: InstanceEvent): InstanceState | null {
  const known = state ?? UNKNOWN
  switch (event.type) {
    case 'relayed':
      return relay(known, event.call)
    case 'chain':
      return follow(known, event)
    case 'mempool':
      return state && compare(state, event)
    case 'continued':
      return state && continueWith(state, event)
  }
}

const UNKNOWN: InstanceState = { outputs: [], pending: [], moved: null }

/** The newest outputs: those of the chain that no own call spends, and those of own calls, unless they were dropped. */
export const unspentOf = (state: Pick<InstanceState, 'outputs' | 'pending'> | null): readonly KnownOutput[] => {
  const { outputs, pending } = state ?? UNKNOWN
  return outputsAfter(outputs, pending.some(isDropped) ? keepCalls(pending, outputs, isDropped) : pending)
}

/** The state as if a call, and what is chained on it, was not sent. */
export const withoutCall = (state: InstanceState, transactionId: string | undefined): InstanceState =>
  transactionId === undefined
    ? state
    : { ...state, pending: keepCalls(state.pending, state.outputs, (call) => call.transactionId === transactionId) }

/**
 * An own call that spends the same was replaced, and with it what is chained on it. One that is submitted again is in
 * the mempool again.
 */
function relay(state: InstanceState, call: RelayedCall): InstanceState {
  const { outputs, pending } = state
  const known = pending.find(({ transactionId }) => transactionId === call.transactionId)
  if (known !== undefined) return replace(state, known, readPending(known, known.phase, true))
  const spends = new Set(call.spent.map(toOutpointKey))
  const isReplaced = ({ spent }: RelayedCall): boolean => spent.some((outpoint) => spends.has(toOutpointKey(outpoint)))
  const kept = keepCalls(pending, outputs, (one) => call.spent.length > 0 && isReplaced(one))
  return { outputs, pending: [...kept, toPending(call)], moved: null }
}

const replace = (state: InstanceState, call: PendingCall, next: PendingCall): InstanceState =>
  call === next ? state : { ...state, pending: state.pending.map((one) => (one === call ? next : one)) }

/** Own calls that the chain has not accepted, and whose inputs it still has, or another own call creates. */
function follow(
  { pending, moved }: InstanceState,
  { outputs, accepted, spenders, isFurther }: Extract<InstanceEvent, { type: 'chain' }>,
): InstanceState {
  const known = withAncestors(pending, accepted)
  const open = pending.filter(({ transactionId }) => !known.has(transactionId))
  const before = moved !== null && accepted.has(moved.transactionId) ? null : moved
  const kept = keepCalls(open, outputs)
  return {
    outputs,
    pending: isFurther ? kept.map(countBlock) : kept,
    moved: movedAmong(open, spenders) ?? before,
  }
}

/** Own calls whose inputs nothing else spends, each with whether the mempool has it. */
function compare(state: InstanceState, event: Extract<InstanceEvent, { type: 'mempool' }>): InstanceState {
  const { spenders, listed, sent } = event
  const before = new Map(sent.map(({ transactionId, phase }) => [transactionId, phase]))
  const pending = state.pending.map((call) => {
    const phase = before.get(call.transactionId)
    return phase === undefined ? call : readPending(call, phase, listed.has(call.transactionId))
  })
  const moved = movedAmong(
    pending.filter(({ transactionId }) => before.has(transactionId)),
    spenders,
  )
  if (moved === null) return pending.every((call, at) => call === state.pending[at]) ? state : { ...state, pending }
  const isMoved = ({ transactionId }: RelayedCall): boolean => transactionId === moved.transactionId
  return { ...state, pending: keepCalls(pending, state.outputs, isMoved), moved }
}

/** The chain has accepted the own calls that led to what was spent. */
function continueWith(
  { outputs, pending, moved }: InstanceState,
  event: Extract<InstanceEvent, { type: 'continued' }>,
): InstanceState {
  const accepted = withAncestors(pending, new Set([event.spent.transactionId]))
  const settled = pending.filter(({ transactionId }) => accepted.has(transactionId))
  const replaced = new Set([event.spent, ...event.outputs.map(({ outpoint }) => outpoint)].map(toOutpointKey))
  const others = outputsAfter(outputs, settled).filter(({ outpoint }) => !replaced.has(toOutpointKey(outpoint)))
  const next = [...others.map((output) => ({ ...output, depth: 0 })), ...event.outputs]
  const open = pending.filter(({ transactionId }) => !accepted.has(transactionId))
  return { outputs: next, pending: keepCalls(open, next), moved }
}

/** The first call whose input another transaction spends. */
function movedAmong(calls: readonly RelayedCall[], spenders: Spenders): MovedCall | null {
  for (const { transactionId, spent } of calls) {
    const others = spent.flatMap((outpoint) => spenders.get(toOutpointKey(outpoint)) ?? [])
    const spentBy = others.find((id) => id !== transactionId)
    if (spentBy !== undefined) return { transactionId, spentBy }
  }
  return null
}

/** A call that the chain has accepted spends only what it has accepted before. */
function withAncestors(pending: readonly RelayedCall[], accepted: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(accepted)
  for (const { transactionId, spent } of [...pending].reverse())
    if (known.has(transactionId)) for (const outpoint of spent) known.add(outpoint.transactionId)
  return known
}
