import { createReservations, type Reservations } from '../../streams/utxos/reservations.js'
import type { ChainCore } from '../core.js'

/** The UTXOs reserved by pending payments of a core. */
export const reservations = (core: ChainCore): Reservations => createReservations(core)
