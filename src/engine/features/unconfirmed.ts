import { createUnconfirmed, type Unconfirmed } from '../../streams/utxos/unconfirmed/unconfirmed.js'
import type { ChainCore } from '../core.js'

/** The own payments of a core and the mempool transactions of its tracked addresses. */
export const unconfirmed = (core: ChainCore): Unconfirmed => createUnconfirmed(core)
