import type { ChainState } from './chain/chain-state.js'
import type { Mempool } from './mempool/mempool.js'
import type { Refusals } from './mempool/refusals.js'
import type { InclusionContext } from './rules/spending.js'
import type { Dag } from './chain/dag.js'

/** A simulated network: the state of its blocks, its mempool, and what its node has kept after pruning. */
export interface Network {
  readonly state: ChainState
  readonly mempool: Mempool
  readonly retention: Retention
  /** The transactions that were refused for a script. */
  readonly refusals: Refusals
}

/** The inclusion context of the next block. */
export const inclusionContextOf = ({ state }: Network): InclusionContext => ({
  ...state.virtual.context,
  coinbaseMaturity: state.validation.coinbaseMaturity,
})

/** The history that a node has kept after pruning: nothing of the past of `root`, except some headers. */
interface Retention {
  /** The retention root: the oldest chain block with a body. */
  readonly root: string
  /** Blocks below the root whose headers are kept. */
  readonly headers: ReadonlySet<string>
  /** Blocks below the root that are unknown. */
  readonly pruned: ReadonlySet<string>
}

/** The retention of a node that has not pruned. */
export const retainAll = (genesis: string): Retention => ({ root: genesis, headers: new Set(), pruned: new Set() })

/** Prunes the past of `root`; the `keptHeaders` blocks of it that were added last stay known as headers. */
export function pruneBelow(dag: Dag, root: string, keptHeaders: number): Retention {
  const past = pastOf(dag, root)
  const ordered = [...dag.blocks()].flatMap(({ hash }) => (past.has(hash) ? [hash] : []))
  const split = Math.max(ordered.length - keptHeaders, 0)
  return { root, headers: new Set(ordered.slice(split)), pruned: new Set(ordered.slice(0, split)) }
}

function pastOf(dag: Dag, hash: string): ReadonlySet<string> {
  const past = new Set<string>()
  const queue = [...dag.get(hash).context.parents]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (past.has(next)) continue
    past.add(next)
    queue.push(...dag.get(next).context.parents)
  }
  return past
}
