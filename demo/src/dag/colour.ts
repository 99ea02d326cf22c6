import type { Dag, PlacedBlock } from './dag'

/** How the network sees a block: on the virtual chain, merged by it as blue or red, or not merged yet. */
export type Standing = 'chain' | 'blue' | 'red' | 'open'

/** The standing of each block of the picture. */
export function standings({ blocks, chain }: Dag): ReadonlyMap<string, Standing> {
  const chainBlocks = blocks.filter((block) => chain.has(block.hash))
  const blues = new Set(chainBlocks.flatMap((block) => block.blues))
  const reds = new Set(chainBlocks.flatMap((block) => block.reds))
  const standingOf = ({ hash }: PlacedBlock): Standing =>
    chain.has(hash) ? 'chain' : blues.has(hash) ? 'blue' : reds.has(hash) ? 'red' : 'open'
  return new Map(blocks.map((block) => [block.hash, standingOf(block)]))
}
