import { compareBlueWork, type BlockContext, type Ghostdag } from '../block.js'
import { DAA_WINDOW, MEDIAN_FRAME, MEDIAN_SAMPLE_RATE, MEDIAN_WINDOW } from '../params.js'
import type { Dag } from './dag.js'
import { computeGhostdag, type WorkOf } from './ghostdag.js'

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
