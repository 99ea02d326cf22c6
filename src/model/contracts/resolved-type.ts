import { invalidArtifact, isRecord, readLength, readList, readRecord, readText } from './artifact.js'
import { blake3 } from '@noble/hashes/blake3.js'
import { toHex } from '../hex.js'

/** A type with its structs resolved. */
export type ResolvedType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'fixed_bytes'; readonly length: number }
  /** `length` is undefined where the caller chooses it. */
  | { readonly kind: 'array'; readonly item: ResolvedType; readonly length: number | undefined }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly ResolvedField[] }

export interface ResolvedField {
  readonly name: string
  readonly type: ResolvedType
}

export type ScalarKind = (typeof SCALARS)[number]

const SCALARS = ['int', 'temporal', 'bool', 'byte', 'string', 'bytes', 'pubkey', 'sig', 'datasig'] as const

/** Deeper than any type that the compiler accepts; a struct that contains itself ends here. */
const MAX_DEPTH = 16
const MAX_FIELDS = 256
const NAME = /^[A-Za-z_]\w{0,127}$/

/** The structs of an artifact by name, unchecked. */
export type Structs = (name: string) => unknown

/** Checks and resolves a list of fields or parameters. Throws `ChainError` (`invalid-artifact`) with the path. */
export function resolveFields(value: unknown, path: string, structs: Structs, depth = 0): readonly ResolvedField[] {
  const fields = readList(value, path)
  if (fields.length > MAX_FIELDS) throw invalidArtifact(path, `has more than ${MAX_FIELDS} items`)
  const resolved = fields.map((field, index) => {
    const at = `${path}[${index}]`
    const { name, type } = readRecord(field, at)
    return { name: readName(name, `${at}.name`), type: resolveType(type, `${at}.type`, structs, depth) }
  })
  const names = new Set(resolved.map(({ name }) => name))
  if (names.size < resolved.length) throw invalidArtifact(path, 'has two items of one name')
  return resolved
}

export function readName(value: unknown, path: string): string {
  const name = readText(value, path)
  if (!NAME.test(name) || name === '__proto__') throw invalidArtifact(path, 'is no name')
  return name
}

function resolveType(value: unknown, path: string, structs: Structs, depth: number): ResolvedType {
  if (depth > MAX_DEPTH) throw invalidArtifact(path, 'is nested too deep')
  const { kind, len, item, name } = readRecord(value, path)
  const scalar = SCALARS.find((known) => known === kind)
  if (scalar !== undefined) return { kind: scalar }
  const itemType = (): ResolvedType => resolveType(item, `${path}.item`, structs, depth + 1)
  switch (kind) {
    case 'fixed_bytes':
      return { kind, length: readLength(len, `${path}.len`) }
    case 'fixed_array':
      return { kind: 'array', item: itemType(), length: readLength(len, `${path}.len`) }
    case 'dynamic_array':
      return { kind: 'array', item: itemType(), length: undefined }
    case 'struct': {
      const struct = readName(name, `${path}.name`)
      return { kind, name: struct, fields: structFields(struct, path, structs, depth) }
    }
    default:
      throw invalidArtifact(`${path}.kind`, 'is unknown')
  }
}

function structFields(name: string, path: string, structs: Structs, depth: number): readonly ResolvedField[] {
  const struct = structs(name)
  if (!isRecord(struct)) throw invalidArtifact(`${path}.name`, 'is no struct of the artifact')
  return resolveFields(struct.fields, `structs.${name}.fields`, structs, depth + 1)
}

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

const TAG_LENGTH = 4

/** The tag of an entry, hex: the first bytes of the BLAKE3 hash of its name and of the types of its parameters. */
export function dispatchTag(name: string, params: readonly ResolvedField[]): string {
  const signature = `${name}(${params.map(({ type }) => typeName(type)).join(',')})`
  return toHex(blake3(new TextEncoder().encode(signature)).subarray(0, TAG_LENGTH))
}

/** A type as tags cover it: a struct by the types of its fields, not by its name. */
function typeName(type: ResolvedType): string {
  switch (type.kind) {
    case 'bytes':
      return 'byte[]'
    case 'fixed_bytes':
      return `byte[${type.length}]`
    case 'array':
      return `${typeName(type.item)}[${type.length ?? ''}]`
    case 'struct':
      return `{${type.fields.map((field) => typeName(field.type)).join(',')}}`
    default:
      return type.kind
  }
}
