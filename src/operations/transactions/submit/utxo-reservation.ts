import type { UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { Release, Reservations } from '../dependencies.js'

/** Reserves the UTXOs of one transaction against other payments. */
export interface UtxoReservation {
  /** Reserves the UTXOs for some time; renews the expiry of an existing reservation. */
  readonly reserve: () => void
  /** Reserves them until `reserve` or `release`: a signature by a person may take longer than the expiry. */
  readonly hold: () => void
  /** Releases them: the transaction will not be sent. */
  readonly release: () => void
}

export function createUtxoReservation(reservations: Reservations, payment: UnconfirmedTransaction): UtxoReservation {
  let current: Release | undefined
  const renew = (timeout?: number): void => {
    const previous = current
    current = reservations.reserve(payment, timeout)
    previous?.() // after the renewal, so that the UTXOs are never free in between
  }
  return {
    reserve: () => renew(),
    hold: () => renew(Infinity),
    release() {
      current?.()
      current = undefined
    },
  }
}
