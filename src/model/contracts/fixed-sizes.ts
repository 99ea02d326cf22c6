import type { ResolvedType } from './resolved-type.js'

const SIZES = { int: 8, temporal: 8, bool: 1, byte: 1, pubkey: 32, datasig: 64, sig: 65 } as const

/**
 * Bytes of each part of a value without its own length, fields of structs one by one; undefined where one has no fixed
 * size.
 */
export function fixedSizes(type: ResolvedType): readonly number[] | undefined {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return undefined
    case 'fixed_bytes':
      return [type.length]
    case 'array': {
      const { length } = type
      return length === undefined ? undefined : fixedSizes(type.item)?.map((size) => size * length)
    }
    case 'struct': {
      const sizes = type.fields.map((field) => fixedSizes(field.type))
      return sizes.every((size) => size !== undefined) ? sizes.flat() : undefined
    }
    default:
      return [SIZES[type.kind]]
  }
}
