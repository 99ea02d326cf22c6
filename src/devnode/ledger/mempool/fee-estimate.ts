import { MASS_LIMITS, MINIMUM_FEERATE } from '../../../model/mass.js'
import type { RpcResponse } from '../../../node/messages/records.js'
import { BLOCKS_PER_SECOND } from '../params.js'
import type { Pool, PoolEntry } from './pool.js'

/** A transaction is drawn into a block with a weight of its fee rate to this power. */
const ALPHA = 3
const MINUTE = 60
const HALF_HOUR = 1800
const HOUR = 3600

/** What the estimate looks at: those that may be in the next block, and what a transaction weighs on average. */
export type Waiting = Pick<Pool, 'ready' | 'averageMass'>

/** How long a fee rate waits: `interval` seconds pass from one transaction to the next, and `weight` competes. */
interface Curve {
  readonly interval: number
  readonly weight: number
}

/**
 * What to pay for being in the next block, within a minute, half an hour, an hour. While less than a block waits, the minimum
 * does for all of it. The formulas are those of nodes since 0.15, with the target of one block time that came with 1.1.
 */
export function estimateFees(pool: Waiting): RpcResponse<'getFeeEstimate'>['estimate'] {
  const curve = fitCurve(pool)
  const least = Number(MINIMUM_FEERATE)
  const high = Math.max(feerateFor(curve, 1 / BLOCKS_PER_SECOND), least)
  const low = Math.max(feerateFor(curve, HOUR), quantile(curve, least, high, 0.25))
  const normal = Math.max(feerateFor(curve, MINUTE), quantile(curve, low, high, 0.66))
  const middle = Math.max(feerateFor(curve, HALF_HOUR), quantile(curve, least, high, 0.5))
  const bucket = (feerate: number) => ({ feerate, estimatedSeconds: secondsFor(curve, feerate) })
  return { priorityBucket: bucket(high), normalBuckets: [bucket(normal), bucket(middle)], lowBuckets: [bucket(low)] }
}

/**
 * The curve of everything that waits, or a better one: a few that pay very much are sure of their places, so that the others
 * share what room is left without competing with them.
 */
function fitCurve(pool: Waiting): Curve {
  const best = [...pool.ready()].sort((left, right) => right.feerate - left.feerate)
  let weight = best.reduce((sum, entry) => sum + weightOf(entry), 0)
  let room = Number(MASS_LIMITS.compute)
  let curve = { interval: intervalOf(pool, room), weight }
  for (const entry of best) {
    room -= Number(entry.mass)
    if (room <= pool.averageMass) break
    weight = Math.max(0, weight - weightOf(entry))
    const without = { interval: intervalOf(pool, room), weight: entry === best.at(-1) ? 0 : weight }
    if (secondsFor(without, 1) >= secondsFor(curve, 1)) break
    curve = without
  }
  return curve
}

const weightOf = ({ feerate }: PoolEntry): number => feerate ** ALPHA

const intervalOf = ({ averageMass }: Waiting, massPerBlock: number): number =>
  averageMass / (massPerBlock * BLOCKS_PER_SECOND)

const secondsFor = ({ interval, weight }: Curve, feerate: number): number =>
  (interval * weight) / feerate ** ALPHA + interval

const feerateFor = ({ interval, weight }: Curve, seconds: number): number =>
  ((interval * weight) / seconds / (1 - interval / seconds)) ** (1 / ALPHA)

/** The fee rate at which a part of all waiting between two rates lies below. */
function quantile({ interval, weight }: Curve, lower: number, upper: number, part: number): number {
  const competing = interval * weight
  if (lower === upper || competing === 0) return lower
  const areaTo = (feerate: number): number => competing / (-2 * feerate ** 2)
  const area = part * areaTo(upper) + (1 - part) * areaTo(lower)
  return Math.sqrt(competing / (-2 * area))
}
