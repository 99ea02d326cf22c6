import { invalidArgument } from '../errors/chain-error.js'

/** A record's fields by name. */
export type Fieldset = Readonly<Record<string, unknown>>

/** The value as a record. Throws `ChainError` (`invalid-argument`) if it is none. */
export function asRecord(value: unknown, field: string): Fieldset {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidArgument(field, `"${field}" is not a record`)
  }
  return value as Fieldset
}

/** The value as a list. Throws `ChainError` (`invalid-argument`) if it is none. */
export function asList(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidArgument(field, `"${field}" is not a list`)
  return value
}

/** The member of `cases` with this name. Throws `ChainError` (`invalid-argument`) if there is none. */
export function chosen<T>(cases: Readonly<Record<string, T>>, name: unknown, field: string): T {
  const found = typeof name === 'string' && Object.hasOwn(cases, name) ? cases[name] : undefined
  if (found === undefined) throw invalidArgument(field, `"${field}" is none of ${Object.keys(cases).join(', ')}`)
  return found
}
