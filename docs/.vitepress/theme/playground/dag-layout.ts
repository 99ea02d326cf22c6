import type { Dag, DagBlock } from './messages.js'

/** A block at its place, in units of columns and rows; the chain is row 0. */
export interface DrawnBlock extends DagBlock {
  readonly column: number
  readonly row: number
}

export interface DagLayout {
  readonly blocks: readonly DrawnBlock[]
  /** From a block to its parent. */
  readonly edges: readonly { readonly from: DrawnBlock; readonly to: DrawnBlock }[]
}

/** The newest `columns` generations of a DAG. A block stands right of its parents. */
export function layOut({ blocks }: Dag, columns: number): DagLayout {
  const generations = generationsOf(blocks)
  const newest = Math.max(0, ...generations.values())
  const rowsIn = new Map<number, number>()
  const drawn = new Map<string, DrawnBlock>()
  for (const block of [...blocks].sort(chainFirst)) {
    const generation = generations.get(block.hash) ?? 0
    const column = columns - 1 - (newest - generation)
    if (column < 0) continue
    const used = rowsIn.get(generation) ?? (block.place === 'chain' ? 0 : 1)
    rowsIn.set(generation, used + 1)
    drawn.set(block.hash, { ...block, column, row: rowOf(used) })
  }
  const edges = [...drawn.values()].flatMap((from) =>
    from.parents.flatMap((parent) => {
      const to = drawn.get(parent)
      return to === undefined ? [] : [{ from, to }]
    }),
  )
  return { blocks: [...drawn.values()], edges }
}

/** One more than the newest parent's; 0 where no parent is known. Parents come first. */
function generationsOf(blocks: readonly DagBlock[]): ReadonlyMap<string, number> {
  const generations = new Map<string, number>()
  for (const { hash, parents } of blocks)
    generations.set(hash, Math.max(-1, ...parents.map((parent) => generations.get(parent) ?? -1)) + 1)
  return generations
}

const chainFirst = (a: DagBlock, b: DagBlock): number => Number(b.place === 'chain') - Number(a.place === 'chain')

/** 0, 1, −1, 2, −2 … */
const rowOf = (index: number): number => (index % 2 === 1 ? (index + 1) / 2 : -index / 2)
