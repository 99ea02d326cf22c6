import type { Frame, WireCodec } from '../codec.js'

const OPENING_BRACE = 0x7b

/**
 * Nodes before 0.16 answer a JSON client in JSON, but send it their notifications as Borsh, in binary messages: without
 * this, a subscription to such a node succeeds and stays silent for ever.
 */
export function understandingBorshNotifications(json: WireCodec, borsh: () => WireCodec): WireCodec {
  const isBorsh = (frame: Frame): boolean => typeof frame !== 'string' && frame[0] !== OPENING_BRACE
  return {
    ...json,
    decodeMessage: (frame, methodOf) => (isBorsh(frame) ? borsh() : json).decodeMessage(frame, methodOf),
  }
}
