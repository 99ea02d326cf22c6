import { compareWork, type BlockContext, type Ghostdag } from '../block.js'
import { DAA_WINDOW, MEDIAN_FRAME, MEDIAN_SAMPLE_RATE, MEDIAN_WINDOW } from '../params.js'
import type { Dag } from './dag.js'
import { colour, type WorkOf } from './ghostdag.js'

/** What follows for a block from its parents: place, scores and the time it must be younger than. */
export function contextOf(dag: Dag, parents: readonly string[], workOf: WorkOf): BlockContext {
  const ghostdag = colour(dag, parents, workOf)
  const outsideDaaWindow = oldBlocks(dag, ghostdag)
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

/** Merged blocks too far behind to count. Genesis never counts: its timestamp is from another age. */
function oldBlocks(dag: Dag, { selectedParent, mergeset, blueScore }: Ghostdag): ReadonlySet<string> {
  if (selectedParent === dag.genesis) return new Set([selectedParent])
  const lowest = blueScore > DAA_WINDOW ? blueScore - DAA_WINDOW : 0n
  return new Set(mergeset.filter((hash) => dag.get(hash).header.blueScore < lowest))
}

/** The selected parent's samples and those among the merged blocks: each hundredth by DAA score, the newest 27 at most. */
function samplesOf(dag: Dag, { selectedParent, mergeset }: Ghostdag, old: ReadonlySet<string>): readonly bigint[] {
  if (selectedParent === dag.genesis) return []
  const { header, context } = dag.get(selectedParent)
  const descending = mergeset.slice(1).sort((left, right) => compareWork(dag.weigh(right), dag.weigh(left)))
  const fresh = [selectedParent, ...descending]
    .filter((hash) => !old.has(hash))
    .filter((_, place) => (header.daaScore + BigInt(place) + 1n) % MEDIAN_SAMPLE_RATE === 0n)
  if (fresh.length === 0) return context.medianSamples
  const timestamps = fresh.map((hash) => dag.get(hash).header.timestamp)
  return [...context.medianSamples, ...timestamps].slice(-MEDIAN_WINDOW)
}

/** The mean of the samples nearest to the middle, rounded to the nearest millisecond. */
function median(samples: readonly bigint[]): bigint {
  const sorted = [...samples].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
  const frame = Math.min(sorted.length, MEDIAN_FRAME)
  const end = Math.ceil((sorted.length + frame) / 2)
  const sum = sorted.slice(end - frame, end).reduce((total, timestamp) => total + timestamp, 0n)
  return (sum + BigInt(frame) / 2n) / BigInt(frame)
}
