/** Expectations without a test framework: a journal is tested in that of its author. */

/** Reads again until a condition holds: numbers of events may become visible later than their rows. */
export async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isDone(value)) return value
  }
}

export function equal(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [toText(actual), toText(expected)]
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, got ${found}`)
}

/** Keys in one order, bigints marked. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => {
    if (typeof field === 'bigint') return `${field}n`
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field
    return Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
