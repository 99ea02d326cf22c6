import type { LocatedBatch } from '../chain/batch.js'

/** Two consecutive batches as one. */
export function mergeBatches(first: LocatedBatch, second: LocatedBatch): LocatedBatch {
  const { rollback } = second
  if (rollback === null) return { ...second, rollback: first.rollback, blocks: [...first.blocks, ...second.blocks] }
  const kept = first.blocks.filter(({ blueScore }) => blueScore <= rollback.blueScore)
  const isDeeper = first.rollback === null || rollback.blueScore < first.rollback.blueScore
  return { ...second, rollback: isDeeper ? rollback : first.rollback, blocks: [...kept, ...second.blocks] }
}
