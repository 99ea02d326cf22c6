/** The characters of addresses, what separates them, and what fills the last three bytes. */
const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l,.'
/** As many letters of Base64. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh'

/** The code of the letter for each code of a character; 0, which the database refuses, for any other character. */
const LETTER_OF: Uint8Array = /*#__PURE__*/ Uint8Array.from({ length: 128 }, (_, code) => {
  const index = CHARACTERS.indexOf(String.fromCharCode(code))
  return index < 0 ? 0 : LETTERS.charCodeAt(index)
})

const FILL = /*#__PURE__*/ LETTERS.charCodeAt(LETTERS.length - 1)

/** Addresses without their prefix, separated by commas, as Base64: 61 characters take 48 bytes. */
export function packAddresses(addresses: string): string {
  const { length } = addresses
  const letters = Buffer.allocUnsafe(Math.ceil(length / 4) * 4) // each byte is written
  for (let at = 0; at < length; at++) letters[at] = LETTER_OF[addresses.charCodeAt(at)] ?? 0
  return letters.fill(FILL, length).toString('latin1')
}

/** The same as functions of the database. What `encode` makes has lines. */
export const packFunctions = (schema: string): readonly string[] => [
  `create function ${schema}.pack_addresses(addresses text) returns bytea language sql immutable parallel safe
    as $$select decode(translate(rpad(addresses, (length(addresses) + 3) / 4 * 4, '.'), '${CHARACTERS}', '${LETTERS}'), 'base64')$$`,
  `create function ${schema}.unpack_addresses(packed bytea) returns text language sql immutable parallel safe
    as $$select rtrim(translate(encode(packed, 'base64'), '${LETTERS}' || chr(10), '${CHARACTERS}'), '.')$$`,
]
