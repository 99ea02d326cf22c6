import type { UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { Release, Reservations } from '../dependencies.js'

/** Reserves the UTXOs of one transaction against other payments. */
export interface UtxoReservation {
  /** Reserves the UTXOs; renews the expiry of an existing reservation. */
  readonly reserve: () => void
  /** Releases them: the transaction will not be sent. */
  readonly release: () => void
}

export function createUtxoReservation(reservations: Reservations, payment: UnconfirmedTransaction): UtxoReservation {
  let current: Release | undefined
  return {
    reserve() {
      const previous = current
      current = reservations.reserve(payment)
      previous?.() // after the renewal, so that the UTXOs are never free in between
    },
    release() {
      current?.()
      current = undefined
    },
  }
}
