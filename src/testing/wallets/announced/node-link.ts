import { disconnected } from './errors.js'

/** The connection of an announced wallet to its node. */
export interface NodeLink {
  /** Throws while the node is unreachable. */
  requireReachable(): void
  disconnect(): void
  reconnect(network: string): void
}

/** Emits `disconnect` and `connect` to the page. */
export function createNodeLink(emit: (event: string, payload: unknown) => void): NodeLink {
  let status: 'reachable' | 'unreachable' = 'reachable'
  return {
    requireReachable: () => {
      if (status === 'unreachable') throw disconnected(4900)
    },
    disconnect: () => {
      status = 'unreachable'
      emit('disconnect', disconnected(1013)) // the WebSocket close code "try again later"
    },
    reconnect: (networkId) => {
      status = 'reachable'
      emit('connect', { networkId })
    },
  }
}
