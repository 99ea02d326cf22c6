import { createUnconfirmed, type Unconfirmed } from '../../streams/utxos/unconfirmed/unconfirmed.js'
import type { CoreParts } from '../core-parts.js'

/** The own payments of a core and the mempool transactions of its tracked addresses. */
export const unconfirmed = (core: CoreParts): Unconfirmed => createUnconfirmed(core)
