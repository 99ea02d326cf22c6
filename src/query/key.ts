/** Identifies a query and its result: plain data, in which bigints and the order of fields are allowed for. */
export type QueryKey = readonly unknown[]

/** Equal for structurally equal keys, whatever the order of their fields. */
export const hashQueryKey = (key: QueryKey): string => JSON.stringify(key, (_, item) => toPlain(item))

function toPlain(item: unknown): unknown {
  if (typeof item === 'bigint') return `${item}n`
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
}
