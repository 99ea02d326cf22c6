import { ROWS_PER_STEP } from './columns.js'

/**
 * Does `work` on ranges of rows, one after the other, and yields between them: a million rows in steps of well below a
 * millisecond, a few thousand in one.
 */
export function* eachChunk(count: number, work: (first: number, end: number) => void): Generator<undefined, void> {
  for (let first = 0; first < count; first += ROWS_PER_STEP) {
    if (first > 0) yield
    work(first, Math.min(count, first + ROWS_PER_STEP))
  }
}

/** Does `work` on each part, which yields within large ones; yields itself between many small ones. */
export function* eachPart<Part>(
  parts: readonly Part[],
  countOf: (part: Part) => number,
  work: (part: Part, at: number) => Generator<undefined, void>,
): Generator<undefined, void> {
  let rows = 0
  for (const [at, part] of parts.entries()) {
    rows += countOf(part)
    if (at > 0 && rows > ROWS_PER_STEP) {
      yield
      rows = countOf(part)
    }
    yield* work(part, at)
  }
}
