import { LANES, type Dag, type PlacedBlock } from './dag'

/** Distance between columns and between lanes in pixels. */
export const COLUMN = 40
export const LANE = 36
/** Height of the graph in pixels. */
export const HEIGHT = (2 * LANES + 1) * LANE

export const xOf = (block: PlacedBlock): number => block.column * COLUMN
export const yOf = (block: PlacedBlock): number => (block.lane + LANES + 0.5) * LANE

/** An edge to a parent; strong for a selected parent where both are chain blocks. */
export interface Edge {
  readonly key: string
  readonly path: string
  readonly strong: boolean
}

/** The blocks that fit into `width` pixels with the newest at the right, and the horizontal offset. */
export function fit(dag: Dag, width: number): { readonly blocks: readonly PlacedBlock[]; readonly offset: number } {
  const newest = Math.max(0, ...dag.blocks.map((block) => block.column))
  const oldest = newest - Math.floor((width - COLUMN) / COLUMN)
  return { blocks: dag.blocks.filter((block) => block.column >= oldest), offset: width - COLUMN / 2 - newest * COLUMN }
}

/** The edges from `blocks` to their parents, visible or not. */
export function edgesOf(blocks: readonly PlacedBlock[], dag: Dag): readonly Edge[] {
  const known = new Map(dag.blocks.map((block) => [block.hash, block]))
  return blocks.flatMap((block) =>
    block.parents.flatMap((hash) => {
      const parent = known.get(hash)
      return parent === undefined ? [] : [toEdge(block, parent, dag)]
    }),
  )
}

function toEdge(block: PlacedBlock, parent: PlacedBlock, { chain }: Dag): Edge {
  return {
    key: block.hash + parent.hash,
    path: `M${xOf(block)} ${yOf(block)}L${xOf(parent)} ${yOf(parent)}`,
    strong: block.selectedParent === parent.hash && chain.has(block.hash) && chain.has(parent.hash),
  }
}
