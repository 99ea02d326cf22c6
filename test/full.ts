/** Whether `npm run test:full` was called. */
export const FULL = process.env.VUE_CHAIN_FULL === '1'

/** Number of runs of a property: `count`, or in a full run `long`. */
export const runs = (count: number, long = 10 * count): number => (FULL ? long : count)
