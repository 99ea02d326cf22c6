import type { Dag, PlacedBlock } from './dag'

/** On the virtual chain, merged by it as blue or red, or not merged yet. */
export type BlockStatus = 'chain' | 'blue' | 'red' | 'open'

/** The status of each block. */
export function blockStatuses({ blocks, chain }: Dag): ReadonlyMap<string, BlockStatus> {
  const chainBlocks = blocks.filter((block) => chain.has(block.hash))
  const blues = new Set(chainBlocks.flatMap((block) => block.blues))
  const reds = new Set(chainBlocks.flatMap((block) => block.reds))
  const statusOf = ({ hash }: PlacedBlock): BlockStatus =>
    chain.has(hash) ? 'chain' : blues.has(hash) ? 'blue' : reds.has(hash) ? 'red' : 'open'
  return new Map(blocks.map((block) => [block.hash, statusOf(block)]))
}
