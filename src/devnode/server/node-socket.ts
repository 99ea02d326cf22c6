import { WebSocket } from 'ws'

/** A WebSocket that closes as a node does: no close frame is sent or returned, the TCP connection ends. */
export class NodeSocket extends WebSocket {
  /** Also called by the library after an error. The client sees 1006. */
  override close(): void {
    this.terminate()
  }

  /** A close as by a proxy; a node never sends a close frame. */
  closeWithFrame(code: number): void {
    super.close(code)
  }
}
