import { compareBlueWork, type Ghostdag, type SortableBlock } from '../block.js'
import { GHOSTDAG_K } from '../params.js'
import type { Dag } from './dag.js'

/** The work of one block at its difficulty. */
export type WorkOf = (hash: string) => bigint

/**
 * Computes GHOSTDAG data: selected parent, mergeset and colours. A merged block is blue if it and every blue block in
 * its anticone have at most K blues in theirs. `parents` must be known, and none an ancestor of another.
 */
export function computeGhostdag(dag: Dag, parents: readonly string[], workOf: WorkOf): Ghostdag {
  const selectedParent = heaviest(parents.map((parent) => dag.sortable(parent)))
  const others = sortedMergeset(dag, selectedParent, parents)
  const colours = new Colours(dag, selectedParent)
  for (const candidate of others) colours.add(candidate)
  const { ghostdag } = dag.get(selectedParent).context
  return {
    selectedParent,
    mergeset: [selectedParent, ...others],
    blues: colours.blues,
    reds: colours.reds,
    anticoneSizes: colours.anticoneSizes,
    blueScore: ghostdag.blueScore + BigInt(colours.blues.length),
    blueWork: colours.blues.reduce((work, blue) => work + workOf(blue), ghostdag.blueWork),
  }
}

function heaviest(blocks: readonly SortableBlock[]): string {
  return blocks.reduce((best, block) => (compareBlueWork(best, block) < 0 ? block : best)).hash
}

/** The mergeset without the selected parent, by ascending blue work. */
function sortedMergeset(dag: Dag, selectedParent: string, parents: readonly string[]): readonly string[] {
  const queue = parents.filter((parent) => parent !== selectedParent)
  const merged = new Set(queue)
  for (const hash of queue) {
    for (const parent of dag.get(hash).context.parents) {
      if (merged.has(parent) || dag.isInPastOrSame(parent, selectedParent)) continue
      merged.add(parent)
      queue.push(parent)
    }
  }
  return queue
    .map((hash) => dag.sortable(hash))
    .sort(compareBlueWork)
    .map(({ hash }) => hash)
}

/** Colours a mergeset, one block at a time. */
class Colours {
  readonly blues: string[]
  readonly reds: string[] = []
  readonly anticoneSizes = new Map<string, number>()

  constructor(
    private readonly dag: Dag,
    private readonly selectedParent: string,
  ) {
    this.blues = [selectedParent]
    this.anticoneSizes.set(selectedParent, 0)
  }

  add(candidate: string): void {
    const anticone = this.blueAnticone(candidate)
    if (anticone === undefined) {
      this.reds.push(candidate)
      return
    }
    this.blues.push(candidate)
    this.anticoneSizes.set(candidate, anticone.size)
    for (const [blue, size] of anticone) this.anticoneSizes.set(blue, size + 1)
  }

  /** The blues in the candidate's anticone with their anticone sizes; undefined if colouring it blue would exceed K. */
  private blueAnticone(candidate: string): ReadonlyMap<string, number> | undefined {
    if (this.blues.length > GHOSTDAG_K) return undefined
    const anticone = new Map<string, number>()
    let blues: readonly string[] = this.blues
    let chainBlock = this.selectedParent
    for (;;) {
      for (const blue of blues) {
        if (this.dag.isInPast(blue, candidate)) continue
        const size = this.sizeOf(blue)
        if (anticone.size === GHOSTDAG_K || size === GHOSTDAG_K) return undefined
        anticone.set(blue, size)
      }
      if (chainBlock === this.dag.genesis || this.dag.isInPast(chainBlock, candidate)) return anticone
      const { ghostdag } = this.dag.get(chainBlock).context
      blues = ghostdag.blues
      chainBlock = ghostdag.selectedParent
    }
  }

  /** The anticone size of a blue block, as stored by the latest chain block that merged or updated it. */
  private sizeOf(blue: string): number {
    const own = this.anticoneSizes.get(blue)
    if (own !== undefined) return own
    let at = this.selectedParent
    for (;;) {
      const { ghostdag } = this.dag.get(at).context
      const size = ghostdag.anticoneSizes.get(blue)
      if (size !== undefined) return size
      at = ghostdag.selectedParent
    }
  }
}
