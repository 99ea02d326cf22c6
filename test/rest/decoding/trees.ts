/** Walks JSON trees and writes them with every integer in digits. */

/** A position in a tree: its record or list, and its key. */
export interface Place {
  readonly holder: Record<string, unknown>
  readonly key: string
}

export function placesOf(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])])
}

export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`)
    .join(',')}}`
}

/** The type of each field by its path, without list positions. */
export function typesOf(value: unknown, path = '', types = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    for (const item of value) typesOf(item, `${path}[]`, types)
    return types.set(path, 'list')
  }
  if (typeof value !== 'object' || value === null) return types.set(path, typeof value)
  for (const [key, item] of Object.entries(value)) typesOf(item, `${path}.${key}`, types)
  return types.set(path, 'record')
}

/** All exact integers in a value. */
export function integersOf(value: unknown): readonly bigint[] {
  if (typeof value === 'bigint') return [value]
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [BigInt(value)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(integersOf) : []
}
