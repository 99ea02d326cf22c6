/** Whether two lists have the same texts, in the same order. */
export const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((each, at) => each === b[at]))
