import { WebSocket } from 'ws'

/** A WebSocket with a node's manners: it never sends a close frame and never answers one, it just drops the TCP connection. */
export class NodeSocket extends WebSocket {
  /** Whoever wants it closed, the library after an error included: the client sees 1006. */
  override close(): void {
    this.terminate()
  }

  /** What a node never does, and a proxy in front of it does. */
  closeWithFrame(code: number): void {
    super.close(code)
  }
}
