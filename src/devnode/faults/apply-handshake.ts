import type { FaultTarget, HandshakeDecision } from './fault.js'

/** What a server can do with a client that requests a WebSocket. */
export interface Handshake {
  /** Whether the client has disconnected. */
  isEnded(): boolean
  /** Completes the handshake and calls `onOpen` with the connection. */
  complete(onOpen?: (client: FaultTarget) => void): void
  /** Ends the connection by a TCP reset. */
  reset(): void
  /** Responds with an HTTP status instead of the handshake. */
  refuse(status: number): void
  /** Keeps the connection without a response until the client ends it. */
  hang(): void
}

/** Completes or refuses a handshake as the faults have decided. */
export function applyHandshake(decision: HandshakeDecision, handshake: Handshake): void {
  switch (decision.kind) {
    case 'accept':
      handshake.complete()
      break
    case 'wait':
      void decision.until.then(() => handshake.isEnded() || handshake.complete())
      break
    case 'mute':
      handshake.complete((client) => {
        client.freeze()
        void decision.until.then(() => client.thaw())
      })
      break
    case 'close':
      handshake.complete((client) => client.cut())
      break
    case 'reset':
      handshake.reset()
      break
    case 'status':
      handshake.refuse(decision.status)
      break
    case 'hang':
      handshake.hang()
  }
}
