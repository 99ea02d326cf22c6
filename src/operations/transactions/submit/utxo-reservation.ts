import type { UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { Release, Reservations } from '../dependencies.js'

/** Reserves the UTXOs of one transaction against other payments. */
export interface UtxoReservation {
  /** Reserves the UTXOs for some time; renews the expiry of an existing reservation. */
  readonly reserve: () => void
  /**
   * Reserves them until `reserve` or `release`, for `timeout` ms at most: a signature by a person may take longer than
   * the usual expiry. @default Infinity
   */
  readonly hold: (timeout?: number) => void
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
    hold: (timeout = Infinity) => renew(timeout),
    release() {
      current?.()
      current = undefined
    },
  }
}
