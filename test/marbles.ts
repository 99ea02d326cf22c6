import { configure } from 'rxjs-marbles'
import { expect } from 'vitest'

/** Runs a test in virtual time (TestScheduler run mode). Compares with vitest, which can print bigints. */
export const { marbles } = configure({
  run: true,
  frameworkMatcher: true,
  assertDeepEqual: (actual, expected) => {
    expect(actual).toEqual(expected)
  },
})

/** The argument of a marble test. */
export type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]
