import type { Outpoint } from '../../../model/utxo.js'
import type { Release, Reservations } from '../dependencies.js'

/** The coins of one transaction, kept from other payments while it is under way. */
export interface Hold {
  /** Reserves the coins; nothing if they are held already. */
  readonly take: () => void
  /** Gives them back: the transaction will not go out. */
  readonly drop: () => void
}

export function createHold(reservations: Reservations, outpoints: readonly Outpoint[]): Hold {
  let release: Release | undefined
  return {
    take() {
      release ??= reservations.reserve(outpoints)
    },
    drop() {
      release?.()
      release = undefined
    },
  }
}
