/** `1` in `npm run test:full`, `long` in `npm run test:long`. */
const MODE = process.env.VUE_CHAIN_FULL

/** Whether `npm run test:long` was called: the cases of a release or of a night, hours of them. */
export const LONG = MODE === 'long'

/** Whether `npm run test:full` or `npm run test:long` was called. */
export const FULL = MODE === '1' || LONG

/**
 * Cases or faults of a test: `count`; in a full run ten times as many, or `long` if those are fewer; in a long run
 * `long`.
 */
export const runs = (count: number, long = 10 * count): number =>
  LONG ? long : FULL ? Math.min(10 * count, long) : count
