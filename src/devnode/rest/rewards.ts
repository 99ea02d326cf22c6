import { BLOCKS_PER_SECOND } from '../ledger/params.js'

/**
 * The block reward by mainnet's emission schedule. The server uses it for every network, so that it is wrong for
 * others: a simnet pays 50 KAS a block, the server reports 7.3416192.
 */

/** Sompi a second in the first month of the schedule; each later month reduces it by a twelfth of a halving. */
const FIRST_MONTH = 44_000_000_000
const MONTHS_A_HALVING = 12

/** 30.4375 days. */
const SECONDS_A_MONTH = 2_629_800

/** DAA scores at which the schedule began (1 block a second), and the rate became 10 blocks a second. */
const SCHEDULE_START = 15_519_600
const TEN_BLOCKS_START = 110_165_000

/** Months of the schedule that have passed. The server assumes 10 blocks a second for the earlier scores, too. */
function monthAt(daaScore: bigint): number {
  const seconds = TEN_BLOCKS_START - SCHEDULE_START + (Number(daaScore) - TEN_BLOCKS_START) / BLOCKS_PER_SECOND
  return Math.floor(seconds / SECONDS_A_MONTH)
}

/** The DAA score at which a month begins. */
const scoreOf = (month: number): number =>
  (month * SECONDS_A_MONTH - (TEN_BLOCKS_START - SCHEDULE_START)) * BLOCKS_PER_SECOND + TEN_BLOCKS_START

/** KAS a block in a month: the reward a second, rounded down to the sompi, divided by its blocks and rounded up. */
const rewardOf = (month: number): number =>
  Math.ceil(Math.floor(FIRST_MONTH / 2 ** (month / MONTHS_A_HALVING)) / BLOCKS_PER_SECOND) / 1e8

/** KAS a block, exact to the sompi. */
export const rewardAt = (daaScore: bigint): number => rewardOf(monthAt(daaScore))

export interface Reduction {
  /** Unix seconds, with a fraction. */
  readonly timestamp: number
  readonly date: string
  /** KAS a block. */
  readonly amount: number
}

/** The next month's reward and its time, estimated from `now` (ms) at 10 blocks a second. */
export function nextReduction(daaScore: bigint, now: number): Reduction {
  const next = monthAt(daaScore) + 1
  const timestamp = now / 1000 + (scoreOf(next) - Number(daaScore)) / BLOCKS_PER_SECOND
  const iso = new Date(Math.trunc(timestamp) * 1000).toISOString()
  return { timestamp, date: `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`, amount: rewardOf(next) }
}
