import { blake3 } from '@noble/hashes/blake3.js'
import { toHex } from '../hex.js'
import type { ResolvedField, ResolvedType } from './resolved-type.js'

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
