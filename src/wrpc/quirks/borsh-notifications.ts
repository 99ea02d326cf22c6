import type { ClientCodec, Frame } from '../codec.js'

const OPENING_BRACE = 0x7b

/**
 * Nodes before 0.16 send responses to a JSON client in JSON, but notifications in Borsh, in binary messages. Without
 * this, a subscription to such a node succeeds and never emits.
 */
export function withBorshNotifications(json: ClientCodec<Frame>, borsh: () => ClientCodec<Frame>): ClientCodec<Frame> {
  const isBorsh = (frame: Frame): boolean => typeof frame !== 'string' && frame[0] !== OPENING_BRACE
  return {
    ...json,
    decodeMessage: (frame, ...calls) => (isBorsh(frame) ? borsh() : json).decodeMessage(frame, ...calls),
  }
}
