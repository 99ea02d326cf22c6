import type { ChainCore } from '../chain-core.js'
import type { ConnectionControl } from '../connection-control.js'
import { partsOf } from '../core-parts.js'

/** The connection to a node: its state, and the methods that change it. */
export const connection = (core: ChainCore): ConnectionControl => partsOf(core).connection
