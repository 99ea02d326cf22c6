import { createBlocks, type Blocks } from '../../streams/follow-blocks.js'
import { type ChainCore, partsOf } from '../core-parts.js'
import { recordGaps } from '../record-gaps.js'

export function blocks(core: ChainCore): Blocks {
  const parts = partsOf(core)
  const created = createBlocks(parts)
  recordGaps(parts, created.gaps$)
  return created
}
