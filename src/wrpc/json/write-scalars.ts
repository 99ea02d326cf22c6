import { fromHex } from '../../model/hex.js'
import type { Scalar, ScalarValues } from '../../node/messages/shape.js'
import { floatText } from './numbers.js'

/** Encodes each scalar; the value is already validated. */
export const SCALAR_TEXTS: { readonly [S in Scalar]: (value: ScalarValues[S]) => string } = {
  u8: String,
  u16: String,
  u32: String,
  u64: String,
  sompi: String,
  score: String,
  time: String,
  count: String,
  i64: String,
  f32: (value) => floatText(Math.fround(value)),
  f64: floatText,
  measure: floatText,
  bool: String,
  text: (value) => JSON.stringify(value),
  hash: quoted,
  bytes: quoted,
  byteList: (value) => `[${fromHex(value).join(',')}]`,
  subnetworkId: quoted,
  blueWork: quoted,
  scriptPublicKey: ({ version, script }) => `"${version.toString(16).padStart(4, '0')}${script}"`,
  address: (value) => JSON.stringify(value),
  networkType: (value) => JSON.stringify(value),
  networkId: (value) => JSON.stringify(value),
  ip: (value) => JSON.stringify(value),
  uuid: quoted,
}

/** Quotes text that needs no JSON escapes. */
function quoted(text: string): string {
  return `"${text}"`
}
