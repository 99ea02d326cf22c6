/** The fields of a block that the graph shows. */
export interface Block {
  readonly hash: string
  readonly daaScore: bigint
  readonly blueScore: bigint
  /** Unix milliseconds, by the miner's clock. */
  readonly timestamp: number
  readonly parents: readonly string[]
  readonly selectedParent: string
  /** The blues of its merge set, the selected parent included. */
  readonly blues: readonly string[]
  readonly reds: readonly string[]
  /** Number of transactions without the coinbase. */
  readonly payments: number
}

/**
 * A block with its position: one column per DAA score in the order first seen; lane 0 is the middle, negative lanes are
 * above.
 */
export interface PlacedBlock extends Block {
  readonly column: number
  readonly lane: number
}

/** The newest blocks and the hashes on the virtual chain. Never mutated. */
export interface Dag {
  /** In the order of arrival. */
  readonly blocks: readonly PlacedBlock[]
  readonly chain: ReadonlySet<string>
}

/**
 * `added`: a new block. `chain-changed`: the virtual chain changed. `backfilled`: the recent blocks with their chain.
 */
export type DagEvent =
  | { readonly type: 'added'; readonly block: Block }
  | { readonly type: 'backfilled'; readonly blocks: readonly Block[]; readonly chain: readonly string[] }
  | { readonly type: 'chain-changed'; readonly removed: readonly string[]; readonly added: readonly string[] }

export const EMPTY_DAG: Dag = { blocks: [], chain: new Set() }

/** More blocks than a wide screen shows. */
const MAX_BLOCKS = 60
/** Lanes above and below the middle. */
export const LANES = 2

/** The next graph. Blocks keep their positions, so that a reorg moves only the chain line. */
export function reduceDag(dag: Dag, event: DagEvent): Dag {
  switch (event.type) {
    case 'added':
      return { ...dag, blocks: add(dag.blocks, event.block).slice(-MAX_BLOCKS) }
    case 'chain-changed': {
      const chain = new Set(dag.chain)
      for (const hash of event.removed) chain.delete(hash)
      for (const hash of event.added) chain.add(hash)
      return { ...dag, chain: retainKnown(chain, dag.blocks) }
    }
    case 'backfilled': {
      const backfilled = new Set(event.blocks.map(({ hash }) => hash))
      const others = dag.blocks.filter(({ hash }) => !backfilled.has(hash))
      const blocks = [...others, ...event.blocks].sort(byAge).slice(-MAX_BLOCKS).reduce(add, [])
      const chain = new Set([...dag.chain].filter((hash) => !backfilled.has(hash)).concat(event.chain))
      return { blocks, chain: retainKnown(chain, blocks) }
    }
  }
}

function add(blocks: readonly PlacedBlock[], block: Block): readonly PlacedBlock[] {
  return blocks.some(({ hash }) => hash === block.hash) ? blocks : [...blocks, { ...block, ...place(block, blocks) }]
}

const byAge = (a: Block, b: Block): number => Number(a.daaScore - b.daaScore) || a.timestamp - b.timestamp

/** Keeps the newest hashes even if unknown: the virtual chain may include a block before its `block-added` arrives. */
function retainKnown(chain: ReadonlySet<string>, blocks: readonly Block[]): ReadonlySet<string> {
  const known = new Set(blocks.map((block) => block.hash))
  const names = [...chain]
  return new Set(names.filter((hash, index) => known.has(hash) || index >= names.length - MAX_BLOCKS))
}

/**
 * The column of the DAA score; the free lane nearest to one step from the selected parent's lane towards the middle.
 */
function place(block: Block, others: readonly PlacedBlock[]): Pick<PlacedBlock, 'column' | 'lane'> {
  const column = columnOf(block.daaScore, others)
  const taken = new Set(others.filter((other) => other.column === column).map((other) => other.lane))
  const parentLane = others.find((other) => other.hash === block.selectedParent)?.lane ?? 0
  const preferred = parentLane - Math.sign(parentLane)
  const free = lanes().filter((lane) => !taken.has(lane))
  const lane = free.sort((a, b) => Math.abs(a - preferred) - Math.abs(b - preferred) || a - b)[0]
  return { column, lane: lane ?? preferred }
}

function columnOf(daaScore: bigint, others: readonly PlacedBlock[]): number {
  const same = others.find((other) => other.daaScore === daaScore)
  if (same) return same.column
  const before = others.filter((other) => other.daaScore < daaScore).map((other) => other.column)
  return Math.max(-1, ...before) + 1
}

const lanes = (): number[] => Array.from({ length: 2 * LANES + 1 }, (_, index) => index - LANES)
