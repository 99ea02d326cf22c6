import type { Frame } from '../../src/wrpc/codec.js'

/** A frame of Borsh as the bytes it is. */
export function bytesOf(frame: Frame): Uint8Array<ArrayBuffer> {
  if (typeof frame === 'string') throw new Error('A frame of JSON')
  return frame
}
