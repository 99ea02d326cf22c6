/** The node's limits: 16 MiB a frame, 128 MiB a message of several frames. */
export const MAX_FRAME = 16 * 2 ** 20
export const MAX_MESSAGE = 128 * 2 ** 20

/**
 * Reads the headers of a client's frames: the WebSocket library limits messages, not frames.
 * `tooLong` is called when a header announces more than `limit` bytes of payload.
 */
export function createFrameLimit(limit: number, tooLong: () => void): (chunk: Uint8Array) => void {
  let header: readonly number[] = []
  let skip = 0 // remaining bytes of mask and payload
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at)
        skip -= step
        at += step
        continue
      }
      header = [...header, chunk[at] ?? 0]
      at += 1
      const length = payloadLength(header)
      if (length === undefined) continue
      if (length > limit) tooLong()
      skip = length > limit ? Infinity : length + (isMasked(header) ? 4 : 0) // reads nothing after `tooLong`
      header = []
    }
  }
}

const isMasked = (header: readonly number[]): boolean => ((header[1] ?? 0) & 0x80) !== 0

/** RFC 6455, section 5.2: 7 bits, or 16 or 64 after them; undefined while bytes are missing. */
function payloadLength(header: readonly number[]): number | undefined {
  if (header.length < 2) return undefined
  const short = (header[1] ?? 0) & 0x7f
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  if (header.length < 2 + extended) return undefined
  return extended === 0 ? short : header.slice(2).reduce((length, byte) => length * 256 + byte, 0)
}
