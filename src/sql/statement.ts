import type { Query, SqlRow, SqlValue } from './session.js'

/** Adds a parameter to a statement; returns its placeholder. */
export type Bind = (value: SqlValue) => string

/** Runs one statement, whose parts bind their own parameters. */
export function runStatement(query: Query, text: (bind: Bind) => string): Promise<readonly SqlRow[]> {
  const values: SqlValue[] = []
  return query(
    text((value) => `$${values.push(value)}`),
    values,
  )
}

/**
 * The text of an array whose elements need no escapes: hashes, addresses, numbers, times. Drivers escape each element,
 * which costs more than everything else that Node does for a row.
 */
export const arrayText = (elements: readonly (string | null)[]): string =>
  `{${elements.map((element) => element ?? 'NULL').join(',')}}`
