import fc from 'fast-check'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { encodeAddress, type AddressVersion } from '../../src/model/address.js'
import { toIpText } from '../../src/model/ip.js'
import { toHex } from '../../src/model/hex.js'
import type { AddressPrefix } from '../../src/model/network.js'
import type { Field, Fields, Scalar, Shape } from '../../src/node/messages/shape.js'

/** An arbitrary value of a shape that both encodings can represent. */
export function valueOf(shape: Shape): fc.Arbitrary<unknown> {
  if (typeof shape === 'string') return SCALARS[shape]
  if ('fields' in shape) return recordOf(shape.fields)
  if ('opt' in shape) return fc.option(valueOf(shape.opt), { nil: undefined })
  if ('boxopt' in shape) return fc.option(valueOf(shape.boxopt), { nil: undefined })
  if ('vec' in shape) return fc.array(valueOf(shape.vec), { maxLength: 4 })
  if ('boxvec' in shape) return fc.array(valueOf(shape.boxvec), { maxLength: 3 })
  if ('box' in shape) return valueOf(shape.box)
  if ('tagged' in shape) return valueOf(shape.tagged)
  if ('oneOf' in shape) return fc.constantFrom(...Object.keys(shape.oneOf))
  if ('levels' in shape) return fc.array(fc.array(valueOf(shape.levels), { maxLength: 2 }), { maxLength: 5 })
  if ('union' in shape) return casesOf(Object.entries(shape.union))
  return casesOf(Object.entries(shape.scope).map(([type, entry]) => [type, entry.scope]))
}

function recordOf(fields: Fields): fc.Arbitrary<object> {
  const own = Object.entries(fields).filter(([, field]) => !isSpread(field))
  const spread = Object.values(fields).filter(isSpread)
  const parts = [
    fc.record(Object.fromEntries(own.map(([name, field]) => [name, fieldOf(field)]))),
    ...spread.map((field) => recordOf(field.spread.box.fields)),
  ]
  return fc.tuple(...parts).map((records) => Object.assign({}, ...records) as object)
}

/** A non-optional added field is always present: nodes of 2.x write 0 where older ones omit it. */
function fieldOf(field: Field): fc.Arbitrary<unknown> {
  if (typeof field === 'string') return SCALARS[field]
  if ('added' in field) return valueOf(field.added)
  if ('named' in field) return valueOf(field.is)
  if ('inline' in field) return valueOf(field.inline)
  return 'spread' in field ? recordOf(field.spread.box.fields) : valueOf(field)
}

type Spread = Extract<Field, { readonly spread: unknown }>

const isSpread = (field: Field): field is Spread => typeof field === 'object' && 'spread' in field

function casesOf(cases: readonly (readonly [string, Fields])[]): fc.Arbitrary<unknown> {
  return fc.oneof(...cases.map(([type, fields]) => recordOf(fields).map((record) => ({ type, ...record }))))
}

const integer = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 })
const hex = (length: number): fc.Arbitrary<string> => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex)
const anyHex = fc.uint8Array({ maxLength: 80 }).map(toHex)

/** JSON has no form for NaN, and a single one for infinities. */
const isWritable = (value: number): boolean => !Number.isNaN(value) && value !== -Infinity

const address = fc
  .tuple(
    fc.constantFrom<AddressPrefix>('kaspa', 'kaspatest', 'kaspasim', 'kaspadev'),
    fc.constantFrom<AddressVersion>('PubKey', 'PubKeyECDSA', 'ScriptHash'),
    fc.uint8Array({ minLength: 33, maxLength: 33 }),
  )
  .map(([prefix, version, key]) => encodeAddress(prefix, version, key.subarray(0, version === 'PubKeyECDSA' ? 33 : 32)))

const networkType = fc.constantFrom('mainnet', 'testnet', 'devnet', 'simnet')

const SCALARS: Readonly<Record<Scalar, fc.Arbitrary<unknown>>> = {
  u8: integer(8),
  u16: integer(16),
  u32: integer(32),
  u64: fc.bigInt(0n, 2n ** 64n - 1n),
  sompi: fc.bigInt(0n, MAX_SOMPI),
  score: fc.bigInt(0n, 2n ** 63n - 1n),
  time: fc.bigInt(0n, 253_402_300_799_999n),
  count: fc.bigInt(0n, 2n ** 63n - 1n),
  measure: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  i64: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  f32: fc.float().filter(isWritable),
  f64: fc.double().filter(isWritable),
  bool: fc.boolean(),
  text: fc.string({ unit: 'grapheme' }),
  hash: hex(32),
  bytes: anyHex,
  byteList: anyHex,
  subnetworkId: hex(20),
  blueWork: hex(24),
  scriptPublicKey: fc.record({ version: integer(16), script: anyHex }),
  address,
  networkType,
  networkId: fc.oneof(
    networkType,
    fc.tuple(networkType, fc.nat(999_999_999)).map(([type, suffix]) => `${type}-${suffix}`),
  ),
  ip: fc
    .oneof(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
    .map(toIpText),
  uuid: fc.uuid(),
}
