import { disconnected } from './errors.js'

/** The node behind an announced wallet. What the wallet knows by itself it tells without. */
export interface Remote {
  /** Throws while the node is out of reach. */
  demand(): void
  lose(): void
  find(network: string): void
}

/** `emit` tells pages of both. */
export function createRemote(emit: (event: string, payload: unknown) => void): Remote {
  let road: 'open' | 'lost' = 'open'
  return {
    demand: () => {
      if (road === 'lost') throw disconnected(4900)
    },
    lose: () => {
      road = 'lost'
      emit('disconnect', disconnected(1013)) // the code of a socket that closes for a while
    },
    find: (networkId) => {
      road = 'open'
      emit('connect', { networkId })
    },
  }
}
