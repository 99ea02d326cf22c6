import { createBlocks, type Blocks } from '../../streams/blocks.js'
import type { ChainCore } from '../core.js'

/** Blocks as the node adds them. */
export const blocks = (core: ChainCore): Blocks => createBlocks(core)
