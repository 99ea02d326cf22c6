import { invalidArgument } from '../../errors/chain-error.js'
import { fixedSizes } from './fixed-sizes.js'
import type { ResolvedField, ResolvedType } from './resolved-type.js'
import { decodeScalar, encodeBytes, encodeScalar, type Form, type SignatureOf } from './scalar-codec.js'

type ArrayType = Extract<ResolvedType, { readonly kind: 'array' }>

/**
 * Encodes the fields of a record, a part each: a struct has those of its fields, an array of structs one for each
 * field, with the values of all items. Throws `ChainError` (`invalid-argument`) with the path of the value.
 */
export function encodeFields(
  fields: readonly ResolvedField[],
  value: unknown,
  path: string,
  form: Form,
  sign: SignatureOf,
): readonly Uint8Array[] {
  if (typeof value !== 'object' || value === null) throw invalidArgument(path, `"${path}" is no object`)
  const record: Readonly<Record<string, unknown>> = { ...value }
  const unknown = Object.keys(record).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) throw invalidArgument(`${path}.${unknown}`, `There is no "${path}.${unknown}"`)
  return fields.flatMap(({ name, type }) => encodeValue(type, record[name], `${path}.${name}`, form, sign))
}

function encodeValue(
  type: ResolvedType,
  value: unknown,
  path: string,
  form: Form,
  sign: SignatureOf,
): readonly Uint8Array[] {
  if (value === undefined) throw invalidArgument(path, `"${path}" is missing`)
  switch (type.kind) {
    case 'fixed_bytes':
      return [encodeBytes(value, path, type.length)]
    case 'struct':
      return encodeFields(type.fields, value, path, form, sign)
    case 'array':
      return encodeArray(type, value, path, sign)
    default:
      return [encodeScalar(type.kind, value, path, form, sign)]
  }
}

function encodeArray(
  { item, length }: ArrayType,
  value: unknown,
  path: string,
  sign: SignatureOf,
): readonly Uint8Array[] {
  if (!Array.isArray(value)) throw invalidArgument(path, `"${path}" is no array`)
  if (length !== undefined && value.length !== length)
    throw invalidArgument(path, `"${path}" has ${value.length} items instead of ${length}`)
  const rows = value.map((each: unknown, index) => encodeValue(item, each, `${path}[${index}]`, 'fixed', sign))
  return (fixedSizes(item) ?? []).map((_, column) => Uint8Array.from(rows.flatMap((row) => [...(row[column] ?? [])])))
}

/** Decodes a record of the fixed form, from parts in the order of `encodeFields`. */
export function decodeFields(
  fields: readonly ResolvedField[],
  next: () => Uint8Array,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, type }) => [name, decodeValue(type, next)]))
}

function decodeValue(type: ResolvedType, next: () => Uint8Array): unknown {
  switch (type.kind) {
    case 'fixed_bytes':
      return decodeScalar('bytes', next())
    case 'struct':
      return decodeFields(type.fields, next)
    case 'array':
      return decodeArray(type, next)
    default:
      return decodeScalar(type.kind, next())
  }
}

function decodeArray({ item, length }: ArrayType, next: () => Uint8Array): readonly unknown[] {
  const columns = (fixedSizes(item) ?? []).map((size) => ({ size, bytes: next() }))
  const [first] = columns
  const count = length ?? (first === undefined ? 0 : Math.floor(first.bytes.length / first.size))
  return Array.from({ length: count }, (_, row) => {
    const parts = columns.map(({ size, bytes }) => bytes.subarray(row * size, (row + 1) * size)).values()
    return decodeValue(item, () => parts.next().value ?? new Uint8Array(0))
  })
}
