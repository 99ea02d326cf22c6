import { createReservations, type Reservations } from '../../streams/utxos/reservations.js'
import type { ChainCore } from '../core.js'

/** The coins that a core's payments under way have taken. */
export const reservations = (core: ChainCore): Reservations => createReservations(core)
