/** Seeded mutations of frames. */

export type Random = () => number

/** A seeded generator of numbers in [0, 1). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Hostile values of a length or a tag in Borsh. */
const HOSTILE_BYTES = [[0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0], [1, 0, 0, 0], [2], [0xff]]

/** Hostile values in JSON. */
const HOSTILE_TEXTS = [
  'null',
  '-1',
  '1e999',
  '18446744073709551616',
  '[[[[[[',
  '{"',
  '"',
  '\\',
  '1.5',
  '[]',
  '{}',
  '""',
  '#5',
  '\u0000',
]

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T

/** Applies one to four mutations to a binary frame. */
export function damageBytes(frame: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  let bytes = Uint8Array.from(frame)
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) bytes = damageBytesOnce(bytes, random)
  return bytes
}

function damageBytesOnce(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const at = Math.floor(random() * (bytes.length + 1))
  switch (Math.floor(random() * 5)) {
    case 0:
      return bytes.slice(0, at)
    case 1:
      return Uint8Array.from([...bytes.subarray(0, at), ...pick(HOSTILE_BYTES, random), ...bytes.subarray(at)])
    case 2:
      return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1 + Math.floor(random() * 40))])
    case 3:
      bytes.set(pick(HOSTILE_BYTES, random).slice(0, bytes.length - at), at)
      return bytes
    default:
      bytes[at] = Math.floor(random() * 256)
      return bytes
  }
}

/** Applies one to four mutations to a text frame. */
export function damageText(frame: string, random: Random): string {
  let text = frame
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) text = damageTextOnce(text, random)
  return text
}

function damageTextOnce(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1))
  switch (Math.floor(random() * 5)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + pick(HOSTILE_TEXTS, random) + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 40))
    case 3: // a whole value, so that the text stays JSON
      return replaceOne(text, /"[^"]*"|\d+|true|false|null/g, pick(HOSTILE_TEXTS, random), random)
    default:
      return text.slice(0, at) + String.fromCharCode(32 + Math.floor(random() * 95)) + text.slice(at + 1)
  }
}

function replaceOne(text: string, pattern: RegExp, by: string, random: Random): string {
  const found = pick([...text.matchAll(pattern)], random) as RegExpMatchArray | undefined
  if (found === undefined) return text
  const at = found.index ?? 0
  return text.slice(0, at) + by + text.slice(at + found[0].length)
}
