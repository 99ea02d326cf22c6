import type { Frame } from '../../wrpc/codec.js'

/** A client's socket as the node sees it: over TCP, or within the process. */
export interface ServerSocket {
  /** Whether messages can be sent and are read. */
  isOpen(): boolean
  /** Bytes handed over by `send` and not yet sent. */
  unsent(): number
  /** Sends a message, or one part of it. */
  send(part: Frame, isLast: boolean): void
  /** Sets the handler of complete messages, text as UTF-8. */
  onMessage(handler: (data: Uint8Array) => void): void
  /** Adds a handler of the end of the connection. */
  onClose(handler: () => void): void
  /** Ends the connection without a close frame, as a node does. */
  terminate(): void
  /** Ends it by a TCP reset: what has not been delivered is lost. */
  reset(): void
  /** Sends a close frame, as a proxy does; a node never sends one. */
  close(code: number): void
  /** Stops and continues reading. */
  pause(): void
  resume(): void
}
