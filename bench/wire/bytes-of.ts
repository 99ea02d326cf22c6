import type { Frame } from '../../src/wrpc/codec.js'

/** The bytes of a Borsh frame. */
export function bytesOf(frame: Frame): Uint8Array<ArrayBuffer> {
  if (typeof frame === 'string') throw new Error('Expected a Borsh frame')
  return frame
}
