/** What the picture needs of a block. */
export interface Block {
  readonly hash: string
  readonly daaScore: bigint
  readonly blueScore: bigint
  /** Unix milliseconds, by the miner's clock. */
  readonly timestamp: number
  readonly parents: readonly string[]
  readonly selectedParent: string
  /** What it merges, its selected parent among the blues. */
  readonly blues: readonly string[]
  readonly reds: readonly string[]
  /** How many transactions besides the coinbase. */
  readonly payments: number
}

/** A block and its place: columns count DAA scores as they were first seen, lane 0 is the middle, negative lanes above it. */
export interface PlacedBlock extends Block {
  readonly column: number
  readonly lane: number
}

/** The newest blocks, and which of them the virtual chain goes through. Never mutated. */
export interface Dag {
  /** In the order of arrival. */
  readonly blocks: readonly PlacedBlock[]
  readonly chain: ReadonlySet<string>
}

/** `added`: a block came. `moved`: the chain did. `filled`: these are all the blocks of late, chain and all. */
export type DagEvent =
  | { readonly type: 'added'; readonly block: Block }
  | { readonly type: 'filled'; readonly blocks: readonly Block[]; readonly chain: readonly string[] }
  | { readonly type: 'moved'; readonly removed: readonly string[]; readonly added: readonly string[] }

export const EMPTY_DAG: Dag = { blocks: [], chain: new Set() }

/** How many blocks are kept: more than a wide screen shows. */
const KEPT = 60
/** Lanes on either side of the middle. */
export const LANES = 2

/** What the picture becomes after `event`. A block keeps the place it was given, so that a reorg moves the line and not the blocks. */
export function reduceDag(dag: Dag, event: DagEvent): Dag {
  switch (event.type) {
    case 'added':
      return { ...dag, blocks: add(dag.blocks, event.block).slice(-KEPT) }
    case 'moved': {
      const chain = new Set(dag.chain)
      for (const hash of event.removed) chain.delete(hash)
      for (const hash of event.added) chain.add(hash)
      return { ...dag, chain: keepKnown(chain, dag.blocks) }
    }
    case 'filled': {
      const filled = new Set(event.blocks.map(({ hash }) => hash))
      const others = dag.blocks.filter(({ hash }) => !filled.has(hash))
      const blocks = [...others, ...event.blocks].sort(byAge).slice(-KEPT).reduce(add, [])
      const chain = new Set([...dag.chain].filter((hash) => !filled.has(hash)).concat(event.chain))
      return { blocks, chain: keepKnown(chain, blocks) }
    }
  }
}

function add(blocks: readonly PlacedBlock[], block: Block): readonly PlacedBlock[] {
  return blocks.some(({ hash }) => hash === block.hash) ? blocks : [...blocks, { ...block, ...place(block, blocks) }]
}

const byAge = (a: Block, b: Block): number => Number(a.daaScore - b.daaScore) || a.timestamp - b.timestamp

/** The virtual chain may name a block just before it arrives, so the newest names stay even while they are unknown. */
function keepKnown(chain: ReadonlySet<string>, blocks: readonly Block[]): ReadonlySet<string> {
  const known = new Set(blocks.map((block) => block.hash))
  const names = [...chain]
  return new Set(names.filter((hash, index) => known.has(hash) || index >= names.length - KEPT))
}

/** A block's column is that of its DAA score, its lane the free one nearest to its selected parent's, drawn to the middle. */
function place(block: Block, others: readonly PlacedBlock[]): Pick<PlacedBlock, 'column' | 'lane'> {
  const column = columnOf(block.daaScore, others)
  const taken = new Set(others.filter((other) => other.column === column).map((other) => other.lane))
  const parentLane = others.find((other) => other.hash === block.selectedParent)?.lane ?? 0
  const wish = parentLane - Math.sign(parentLane)
  const free = lanes().filter((lane) => !taken.has(lane))
  const lane = free.sort((a, b) => Math.abs(a - wish) - Math.abs(b - wish) || a - b)[0]
  return { column, lane: lane ?? wish }
}

function columnOf(daaScore: bigint, others: readonly PlacedBlock[]): number {
  const same = others.find((other) => other.daaScore === daaScore)
  if (same) return same.column
  const before = others.filter((other) => other.daaScore < daaScore).map((other) => other.column)
  return Math.max(-1, ...before) + 1
}

const lanes = (): number[] => Array.from({ length: 2 * LANES + 1 }, (_, index) => index - LANES)
