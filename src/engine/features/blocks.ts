import { createBlocks, type Blocks } from '../../streams/blocks.js'
import type { ChainCore } from '../core.js'
import { recordGaps } from '../record-gaps.js'

export function blocks(core: ChainCore): Blocks {
  const created = createBlocks(core)
  recordGaps(core, created.gaps$)
  return created
}
