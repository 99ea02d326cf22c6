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

/** What is known of an instance: its outputs on the chain, and the own calls that no chain block has accepted yet. */
export interface InstanceState {
  readonly outputs: readonly KnownOutput[]
  /** In the order of submission. */
  readonly pending: readonly RelayedCall[]
}

export type InstanceEvent =
  | { readonly type: 'relayed'; readonly call: RelayedCall }
  /** The chain has these outputs now, after it has accepted some transactions, or after a rollback. */
  | { readonly type: 'chain'; readonly outputs: readonly KnownOutput[]; readonly accepted: ReadonlySet<string> }

/**
 * The next state of an instance, null before its outputs are known; the same object where the event has no meaning.
 */
export function reduceInstance(state: InstanceState | null, event: InstanceEvent): InstanceState {
  const known = state ?? UNKNOWN
  switch (event.type) {
    case 'relayed':
      return isPending(known, event.call) ? known : { ...known, pending: [...known.pending, event.call] }
    case 'chain':
      return { outputs: event.outputs, pending: pendingAfter(known.pending, event) }
  }
}

const UNKNOWN: InstanceState = { outputs: [], pending: [] }

/** The newest outputs: those of the chain that no own call spends, and those of own calls. */
export const unspentOf = (state: InstanceState | null): readonly KnownOutput[] => {
  const { outputs, pending } = state ?? UNKNOWN
  return pending.reduce((unspent, { spent, created, depth }) => {
    const spends = new Set(spent.map(toOutpointKey))
    const remaining = unspent.filter(({ outpoint }) => !spends.has(toOutpointKey(outpoint)))
    return [...remaining, ...created.map((output) => ({ ...output, depth }))]
  }, outputs)
}

const isPending = ({ pending }: InstanceState, call: RelayedCall): boolean =>
  pending.some(({ transactionId }) => transactionId === call.transactionId)

/** Own calls that the chain has not accepted, and whose inputs it still has, or another own call creates. */
function pendingAfter(
  pending: readonly RelayedCall[],
  { outputs, accepted }: Extract<InstanceEvent, { type: 'chain' }>,
): readonly RelayedCall[] {
  const known = withAncestors(pending, accepted)
  const available = new Set(outputs.map(({ outpoint }) => toOutpointKey(outpoint)))
  const kept: RelayedCall[] = []
  for (const call of pending) {
    if (known.has(call.transactionId)) continue
    if (!call.spent.every((outpoint) => available.has(toOutpointKey(outpoint)))) continue
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
