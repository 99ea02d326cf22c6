import type { Field, Scalar, Shape } from '../../node/messages/shape.js'

/** The minimum size of a shape's value in Borsh, bytes. Bounds the length of a list before it is decoded. */
export function minimumSize(shape: Shape): number {
  if (typeof shape === 'string') return SIZES[shape]
  if ('fields' in shape) return TAG_SIZES[shape.tag] + sum(Object.values(shape.fields).map(fieldSize))
  if ('box' in shape) return 4 + minimumSize(shape.box)
  if ('boxvec' in shape) return 8
  if ('boxopt' in shape) return 5
  if ('tagged' in shape) return 1 + minimumSize(shape.tagged)
  if ('oneOf' in shape) return shape.width === 'u8' ? 1 : 4
  return 'vec' in shape || 'levels' in shape ? 4 : 1
}

const TAG_SIZES = { u8: 1, u16: 2, none: 0 } as const

const SIZES: Readonly<Record<Scalar, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  i64: 8,
  sompi: 8,
  score: 8,
  time: 8,
  count: 8,
  measure: 8,
  f32: 4,
  f64: 8,
  bool: 1,
  text: 4,
  hash: 32,
  bytes: 4,
  byteList: 4,
  subnetworkId: 20,
  blueWork: 24,
  scriptPublicKey: 6,
  address: 38,
  networkType: 1,
  networkId: 2,
  ip: 5,
  uuid: 16,
}

/** An added field is absent in the frames of older nodes. */
function fieldSize(field: Field): number {
  if (typeof field === 'string') return SIZES[field]
  if ('added' in field) return 0
  if ('named' in field) return minimumSize(field.is)
  if ('inline' in field) return minimumSize(field.inline)
  return minimumSize('spread' in field ? field.spread : field)
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
