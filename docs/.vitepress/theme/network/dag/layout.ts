import type { Dag, DagBlock } from './dag.js'

/** A block at its place, in units of columns and rows; the chain is row 0. A column is a generation. */
export interface DrawnBlock extends DagBlock {
  readonly row: number
}

export interface DagLayout {
  readonly blocks: readonly DrawnBlock[]
  /** From a block to its parent. */
  readonly edges: readonly { readonly from: DrawnBlock; readonly to: DrawnBlock }[]
  /** The newest generation. */
  readonly newest: number
}

/** The newest `columns` generations of a DAG. A block stands right of its parents. */
export function layOut({ blocks }: Dag, columns: number): DagLayout {
  const newest = Math.max(0, ...blocks.map(({ generation }) => generation))
  const rowsIn = new Map<number, number>()
  const drawn = new Map<string, DrawnBlock>()
  for (const block of [...blocks].sort(chainFirst)) {
    const { generation, place, hash } = block
    if (generation <= newest - columns) continue
    const used = rowsIn.get(generation) ?? (place === 'chain' ? 0 : 1)
    rowsIn.set(generation, used + 1)
    drawn.set(hash, { ...block, row: rowOf(used) })
  }
  const edges = [...drawn.values()].flatMap((from) =>
    from.parents.flatMap((parent) => {
      const to = drawn.get(parent)
      return to === undefined ? [] : [{ from, to }]
    }),
  )
  return { blocks: [...drawn.values()], edges, newest }
}

const chainFirst = (a: DagBlock, b: DagBlock): number => Number(b.place === 'chain') - Number(a.place === 'chain')

/** 0, 1, −1, 2, −2 … */
const rowOf = (index: number): number => (index % 2 === 1 ? (index + 1) / 2 : -index / 2)
