import type { Outpoint } from '../../../model/utxo.js'
import type { Release, Reservations } from '../dependencies.js'

/** The coins of one transaction, kept from other payments while it is under way. */
export interface Hold {
  /** Reserves the coins; where they are held already, their time begins anew. */
  readonly take: () => void
  /** Gives them back: the transaction will not go out. */
  readonly drop: () => void
}

export function createHold(reservations: Reservations, outpoints: readonly Outpoint[]): Hold {
  let release: Release | undefined
  return {
    take() {
      const before = release
      release = reservations.reserve(outpoints)
      before?.() // only now, so that nobody picks the coins in between
    },
    drop() {
      release?.()
      release = undefined
    },
  }
}
