import { fixedSizes } from './fixed-sizes.js'
import { invalidArtifact } from './invalid-artifact.js'
import type { ResolvedField, ResolvedType } from './resolved-type.js'

/**
 * Items of arrays are joined without their lengths, so each must have a fixed size. Throws `ChainError`
 * (`invalid-artifact`).
 */
export function checkItems(fields: readonly ResolvedField[], path: string): void {
  for (const [index, { type }] of fields.entries()) checkType(type, `${path}[${index}].type`)
}

function checkType(type: ResolvedType, path: string): void {
  if (type.kind === 'struct') type.fields.forEach((field) => checkType(field.type, path))
  if (type.kind !== 'array') return
  const sizes = fixedSizes(type.item) ?? []
  if (sizes.length === 0 || sizes.includes(0)) throw invalidArtifact(path, 'has items without a fixed size')
}
