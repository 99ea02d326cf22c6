import { BLOCKS_PER_SECOND } from '../ledger/params.js'

/**
 * The block reward by mainnet's emission schedule. The server looks there whatever the network, so that elsewhere it is
 * not the true one: a simnet pays 50 KAS a block and is told 7.3416192.
 */

/** Sompi a second in the first month of the schedule; each month after it brings a twelfth of a halving. */
const FIRST_MONTH = 44_000_000_000
const MONTHS_A_HALVING = 12

/** 30.4375 days. */
const SECONDS_A_MONTH = 2_629_800

/** The schedule began at this DAA score, when a block came each second, and ten a second come since that one. */
const SCHEDULE_START = 15_519_600
const TEN_BLOCKS_START = 110_165_000

/** How many months of the schedule have passed; below ten blocks a second the server reckons as if they had always been. */
function monthAt(daaScore: bigint): number {
  const seconds = TEN_BLOCKS_START - SCHEDULE_START + (Number(daaScore) - TEN_BLOCKS_START) / BLOCKS_PER_SECOND
  return Math.floor(seconds / SECONDS_A_MONTH)
}

/** The DAA score at which a month begins. */
const scoreOf = (month: number): number =>
  (month * SECONDS_A_MONTH - (TEN_BLOCKS_START - SCHEDULE_START)) * BLOCKS_PER_SECOND + TEN_BLOCKS_START

/** KAS a block in a month: what a second pays, rounded down to the sompi, is shared by its blocks and rounded up. */
const rewardOf = (month: number): number =>
  Math.ceil(Math.floor(FIRST_MONTH / 2 ** (month / MONTHS_A_HALVING)) / BLOCKS_PER_SECOND) / 1e8

/** KAS a block, to the sompi. */
export const rewardAt = (daaScore: bigint): number => rewardOf(monthAt(daaScore))

export interface Reduction {
  /** Unix seconds, with a fraction. */
  readonly timestamp: number
  readonly date: string
  /** KAS a block. */
  readonly amount: number
}

/** The next month's reward, and when it comes: reckoned from `now` (ms) at ten blocks a second. */
export function nextReduction(daaScore: bigint, now: number): Reduction {
  const next = monthAt(daaScore) + 1
  const timestamp = now / 1000 + (scoreOf(next) - Number(daaScore)) / BLOCKS_PER_SECOND
  const iso = new Date(Math.trunc(timestamp) * 1000).toISOString()
  return { timestamp, date: `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`, amount: rewardOf(next) }
}
