import { createBlocks, type Blocks } from '../../streams/blocks.js'
import type { ChainCore } from '../core.js'

export const blocks = (core: ChainCore): Blocks => createBlocks(core)
