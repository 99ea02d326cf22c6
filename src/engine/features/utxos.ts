import { createUtxos, type Utxos } from '../../streams/utxos/utxos.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { reservations } from './reservations.js'
import { scores } from './scores.js'

/** The books of a core: one an address, whoever tracks it. */
export const utxoBooks = (core: ChainCore): Utxos =>
  createUtxos({ ...core, ...feature(core, scores), ...feature(core, reservations) })

/** A ledger of some addresses, over the core's books. */
export const utxos = (core: ChainCore): Utxos['ledger'] => feature(core, utxoBooks).ledger
