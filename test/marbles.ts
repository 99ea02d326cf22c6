import { configure } from 'rxjs-marbles'
import { expect } from 'vitest'

/** Runs a test in virtual time, in the TestScheduler's run mode; differences are shown by vitest, bigints and all. */
export const { marbles } = configure({
  run: true,
  frameworkMatcher: true,
  assertDeepEqual: (actual, expected) => {
    expect(actual).toEqual(expected)
  },
})

/** What such a test works with. */
export type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]
