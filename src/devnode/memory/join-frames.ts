import type { Frame } from '../../wrpc/codec.js'

/** One message of its parts, which are all text or all bytes. */
export function joinFrames(parts: readonly Frame[]): Frame {
  const [first = ''] = parts
  if (parts.length <= 1) return first
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    if (typeof part !== 'string') whole.set(part, at)
    at += part.length
  }
  return whole
}
