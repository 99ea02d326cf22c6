import fc, { type StringConstraints } from 'fast-check'

/** The code points of UTF-16 surrogates, which are no characters. */
const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Any character, as the unit `binary` of fast-check, which makes a table of all 1.1 million for each `fc.string` with
 * it: half a second of processor time.
 */
const character = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  (text) => {
    const [found, ...others] = Array.from(String(text), (character) => character.codePointAt(0) ?? 0)
    if (found === undefined || others.length > 0) throw new Error('not one character')
    return found < SURROGATES.first ? found : found - SURROGATES.count
  },
)

/** Text of any characters. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  fc.string({ unit: character, ...constraints })
