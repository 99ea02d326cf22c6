import { compareBlueWork, type BlockContext, type Ghostdag, type SortableBlock } from '../block.js'
import { DAA_WINDOW, MEDIAN_FRAME, MEDIAN_SAMPLE_RATE, MEDIAN_WINDOW, GHOSTDAG_K } from '../params.js'
import type { Dag } from './dag.js'

/** Computes GHOSTDAG data, DAA score and past median time from the parents of a block. */
export function contextOf(dag: Dag, parents: readonly string[], workOf: WorkOf): BlockContext {
  const ghostdag = computeGhostdag(dag, parents, workOf)
  const outsideDaaWindow = blocksOutsideDaaWindow(dag, ghostdag)
  const selected = dag.get(ghostdag.selectedParent)
  const counted = ghostdag.mergeset.length - outsideDaaWindow.size
  const medianSamples = samplesOf(dag, ghostdag, outsideDaaWindow)
  return {
    parents: [ghostdag.selectedParent, ...parents.filter((parent) => parent !== ghostdag.selectedParent)],
    ghostdag,
    daaScore: selected.header.daaScore + BigInt(counted),
    outsideDaaWindow,
    pastMedianTime: medianSamples.length === 0 ? selected.header.timestamp : median(medianSamples),
    medianSamples,
  }
}

/** Merged blocks below the DAA window. Genesis is always outside. */
function blocksOutsideDaaWindow(dag: Dag, { selectedParent, mergeset, blueScore }: Ghostdag): ReadonlySet<string> {
  if (selectedParent === dag.genesis) return new Set([selectedParent])
  const lowest = blueScore > DAA_WINDOW ? blueScore - DAA_WINDOW : 0n
  return new Set(mergeset.filter((hash) => dag.get(hash).header.blueScore < lowest))
}

/** Samples of the selected parent and the mergeset: each hundredth block by DAA score, the newest 27. */
function samplesOf(dag: Dag, { selectedParent, mergeset }: Ghostdag, outside: ReadonlySet<string>): readonly bigint[] {
  if (selectedParent === dag.genesis) return []
  const { header, context } = dag.get(selectedParent)
  const descending = mergeset.slice(1).sort((left, right) => compareBlueWork(dag.sortable(right), dag.sortable(left)))
  const sampled = [selectedParent, ...descending]
    .filter((hash) => !outside.has(hash))
    .filter((_, index) => (header.daaScore + BigInt(index) + 1n) % MEDIAN_SAMPLE_RATE === 0n)
  if (sampled.length === 0) return context.medianSamples
  const timestamps = sampled.map((hash) => dag.get(hash).header.timestamp)
  return [...context.medianSamples, ...timestamps].slice(-MEDIAN_WINDOW)
}

/** The mean of the middle `MEDIAN_FRAME` samples, rounded to the nearest millisecond. */
function median(samples: readonly bigint[]): bigint {
  const sorted = [...samples].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
  const frame = Math.min(sorted.length, MEDIAN_FRAME)
  const end = Math.ceil((sorted.length + frame) / 2)
  const sum = sorted.slice(end - frame, end).reduce((total, timestamp) => total + timestamp, 0n)
  return (sum + BigInt(frame) / 2n) / BigInt(frame)
}

/** The work of one block at its difficulty. */
type WorkOf = (hash: string) => bigint

/**
 * Computes GHOSTDAG data: selected parent, mergeset and colours. A merged block is blue if it and every blue block in
 * its anticone have at most K blues in theirs. `parents` must be known, and none an ancestor of another.
 */
function computeGhostdag(dag: Dag, parents: readonly string[], workOf: WorkOf): Ghostdag {
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
