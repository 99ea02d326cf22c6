import { MASS_LIMITS, MINIMUM_FEERATE } from '../../../model/mass.js'
import type { RpcResponse } from '../../../node/messages/records.js'
import { BLOCKS_PER_SECOND } from '../params.js'
import type { Pool, PoolEntry } from './pool.js'

/** The node selects transactions at random, weighted by the feerate to this power. */
const ALPHA = 3
const MINUTE = 60
const HALF_HOUR = 1800
const HOUR = 3600

export type FeeratePool = Pick<Pool, 'ready' | 'averageMass'>

/**
 * The inclusion time of a feerate: `interval` is the seconds per transaction, `weight` the sum of competing weights.
 */
interface Curve {
  readonly interval: number
  readonly weight: number
}

/**
 * Feerates for inclusion in the next block, within a minute, half an hour, an hour. While the mempool holds less than a
 * block, all are the minimum. The formulas are those of nodes since 0.15, with the target of one block time of 1.1.
 */
export function estimateFees(pool: FeeratePool): RpcResponse<'getFeeEstimate'>['estimate'] {
  const curve = fitCurve(pool)
  const minimum = Number(MINIMUM_FEERATE)
  const high = Math.max(feerateFor(curve, 1 / BLOCKS_PER_SECOND), minimum)
  const low = Math.max(feerateFor(curve, HOUR), quantile(curve, minimum, high, 0.25))
  const normal = Math.max(feerateFor(curve, MINUTE), quantile(curve, low, high, 0.66))
  const halfHour = Math.max(feerateFor(curve, HALF_HOUR), quantile(curve, minimum, high, 0.5))
  const bucket = (feerate: number) => ({ feerate, estimatedSeconds: secondsFor(curve, feerate) })
  return { priorityBucket: bucket(high), normalBuckets: [bucket(normal), bucket(halfHour)], lowBuckets: [bucket(low)] }
}

/**
 * The curve of all ready transactions, or a lower one: the highest feerates are certain to be included, so the others
 * share the remaining mass without competing with them.
 */
function fitCurve(pool: FeeratePool): Curve {
  const best = [...pool.ready()].sort((left, right) => right.feerate - left.feerate)
  let weight = best.reduce((sum, entry) => sum + weightOf(entry), 0)
  let remainingMass = Number(MASS_LIMITS.compute)
  let curve = { interval: intervalOf(pool, remainingMass), weight }
  for (const entry of best) {
    remainingMass -= Number(entry.mass)
    if (remainingMass <= pool.averageMass) break
    weight = Math.max(0, weight - weightOf(entry))
    const without = { interval: intervalOf(pool, remainingMass), weight: entry === best.at(-1) ? 0 : weight }
    if (secondsFor(without, 1) >= secondsFor(curve, 1)) break
    curve = without
  }
  return curve
}

const weightOf = ({ feerate }: PoolEntry): number => feerate ** ALPHA

const intervalOf = ({ averageMass }: FeeratePool, massPerBlock: number): number =>
  averageMass / (massPerBlock * BLOCKS_PER_SECOND)

const secondsFor = ({ interval, weight }: Curve, feerate: number): number =>
  (interval * weight) / feerate ** ALPHA + interval

const feerateFor = ({ interval, weight }: Curve, seconds: number): number =>
  ((interval * weight) / seconds / (1 - interval / seconds)) ** (1 / ALPHA)

/** The feerate below which `part` of the area under the inclusion-time curve between two feerates lies. */
function quantile({ interval, weight }: Curve, lower: number, upper: number, part: number): number {
  const competing = interval * weight
  if (lower === upper || competing === 0) return lower
  const areaTo = (feerate: number): number => competing / (-2 * feerate ** 2)
  const area = part * areaTo(upper) + (1 - part) * areaTo(lower)
  return Math.sqrt(competing / (-2 * area))
}
