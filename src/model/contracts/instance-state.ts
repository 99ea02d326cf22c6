import { toOutpointKey, type Outpoint, type OutpointKey } from '../utxo.js'

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
  readonly pending: readonly RelayedCall[]
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
    }
  /** The mempool has these spenders; `sent`: the own calls that were relayed before it was read. */
  | { readonly type: 'mempool'; readonly spenders: Spenders; readonly sent: ReadonlySet<string> }
  /** The chain has these outputs in place of one that another transaction has spent. */
  | { readonly type: 'continued'; readonly spent: Outpoint; readonly outputs: readonly KnownOutput[] }

/**
 * The next state of an instance, null before its outputs are known; the same object where the event has no meaning.
 */
export function reduceInstance(state: InstanceState | null, event: InstanceEvent): InstanceState | null {
  const known = state ?? UNKNOWN
  switch (event.type) {
    case 'relayed':
      return isPending(known, event.call) ? known : relay(known, event.call)
    case 'chain':
      return follow(known, event)
    case 'mempool':
      return state && compare(state, event)
    case 'continued':
      return state && continueWith(state, event)
  }
}

const UNKNOWN: InstanceState = { outputs: [], pending: [], moved: null }

/** The newest outputs: those of the chain that no own call spends, and those of own calls. */
export const unspentOf = (state: Pick<InstanceState, 'outputs' | 'pending'> | null): readonly KnownOutput[] => {
  const { outputs, pending } = state ?? UNKNOWN
  return pending.reduce((unspent, { spent, created, depth }) => {
    const spends = new Set(spent.map(toOutpointKey))
    const remaining = unspent.filter(({ outpoint }) => !spends.has(toOutpointKey(outpoint)))
    return [...remaining, ...created.map((output) => ({ ...output, depth }))]
  }, outputs)
}

/** The state as if a call, and what is chained on it, was not sent. */
export const withoutCall = (state: InstanceState, transactionId: string | undefined): InstanceState =>
  transactionId === undefined
    ? state
    : { ...state, pending: keep(state.pending, state.outputs, (call) => call.transactionId === transactionId) }

const isPending = ({ pending }: InstanceState, call: RelayedCall): boolean =>
  pending.some(({ transactionId }) => transactionId === call.transactionId)

/** An own call that spends the same was replaced, and with it what is chained on it. */
function relay({ outputs, pending }: InstanceState, call: RelayedCall): InstanceState {
  const spends = new Set(call.spent.map(toOutpointKey))
  const isReplaced = ({ spent }: RelayedCall): boolean => spent.some((outpoint) => spends.has(toOutpointKey(outpoint)))
  const kept = keep(pending, outputs, (one) => call.spent.length > 0 && isReplaced(one))
  return { outputs, pending: [...kept, call], moved: null }
}

/** Own calls that the chain has not accepted, and whose inputs it still has, or another own call creates. */
function follow(
  { pending, moved }: InstanceState,
  { outputs, accepted, spenders }: Extract<InstanceEvent, { type: 'chain' }>,
): InstanceState {
  const known = withAncestors(pending, accepted)
  const open = pending.filter(({ transactionId }) => !known.has(transactionId))
  const before = moved !== null && accepted.has(moved.transactionId) ? null : moved
  return { outputs, pending: keep(open, outputs, () => false), moved: movedAmong(open, spenders) ?? before }
}

/** Own calls whose inputs nothing else spends. */
function compare(state: InstanceState, { spenders, sent }: Extract<InstanceEvent, { type: 'mempool' }>): InstanceState {
  const moved = movedAmong(
    state.pending.filter(({ transactionId }) => sent.has(transactionId)),
    spenders,
  )
  if (moved === null) return state
  const isMoved = ({ transactionId }: RelayedCall): boolean => transactionId === moved.transactionId
  return { ...state, pending: keep(state.pending, state.outputs, isMoved), moved }
}

/** The chain has accepted the own calls that led to what was spent. */
function continueWith(
  { outputs, pending, moved }: InstanceState,
  event: Extract<InstanceEvent, { type: 'continued' }>,
): InstanceState {
  const accepted = withAncestors(pending, new Set([event.spent.transactionId]))
  const settled = pending.filter(({ transactionId }) => accepted.has(transactionId))
  const replaced = new Set([event.spent, ...event.outputs.map(({ outpoint }) => outpoint)].map(toOutpointKey))
  const others = unspentOf({ outputs, pending: settled }).filter(
    ({ outpoint }) => !replaced.has(toOutpointKey(outpoint)),
  )
  const next = [...others.map((output) => ({ ...output, depth: 0 })), ...event.outputs]
  const open = pending.filter(({ transactionId }) => !accepted.has(transactionId))
  return { outputs: next, pending: keep(open, next, () => false), moved }
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

/** The calls whose inputs are there, without some and those that are chained on them. */
function keep(
  pending: readonly RelayedCall[],
  outputs: readonly KnownOutput[],
  isDropped: (call: RelayedCall) => boolean,
): readonly RelayedCall[] {
  const available = new Set(outputs.map(({ outpoint }) => toOutpointKey(outpoint)))
  const kept: RelayedCall[] = []
  for (const call of pending) {
    if (isDropped(call) || !call.spent.every((outpoint) => available.has(toOutpointKey(outpoint)))) continue
    kept.push({ ...call, depth: 1 + depthOf(call, kept) })
    for (const { outpoint } of call.created) available.add(toOutpointKey(outpoint))
  }
  return kept
}

/** A call that the chain has accepted spends only what it has accepted before. */
function withAncestors(pending: readonly RelayedCall[], accepted: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(accepted)
  for (const { transactionId, spent } of [...pending].reverse())
    if (known.has(transactionId)) for (const outpoint of spent) known.add(outpoint.transactionId)
  return known
}

/** The greatest depth of the own calls whose outputs a call spends. */
const depthOf = ({ spent }: RelayedCall, before: readonly RelayedCall[]): number => {
  const ids = new Set(spent.map(({ transactionId }) => transactionId))
  return before.reduce((most, { transactionId, depth }) => (ids.has(transactionId) ? Math.max(most, depth) : most), 0)
}
