/** The block reward by mainnet's table: the server looks there whatever the network, so that elsewhere it is not the true one. */

/** In the first months of a network the table says this, KAS a block. */
const FIRST_REWARD = 7.3416192

/** Each step is a twelfth of a halving. */
const STEP = 2 ** (1 / 12)

/** The DAA scores between two steps, and where the first one comes: as a server of 2026 reckoned on a young simnet. */
const SCORES_PER_STEP = 26_298_000n
const FIRST_STEP = 5_247_000n

const stepsAt = (daaScore: bigint): number =>
  daaScore < FIRST_STEP ? 0 : Number((daaScore - FIRST_STEP) / SCORES_PER_STEP) + 1

/** KAS a block, to the sompi. */
export const rewardAt = (daaScore: bigint): number => toSompi(FIRST_REWARD / STEP ** stepsAt(daaScore))

export interface Reduction {
  /** Unix seconds, with a fraction. */
  readonly timestamp: number
  readonly date: string
  /** KAS a block. */
  readonly amount: number
}

/** The next step, reckoned from `now` (ms) at ten blocks a second. */
export function nextReduction(daaScore: bigint, now: number): Reduction {
  const steps = stepsAt(daaScore)
  const timestamp = now / 1000 + Number(FIRST_STEP + BigInt(steps) * SCORES_PER_STEP - daaScore) / 10
  const iso = new Date(Math.trunc(timestamp) * 1000).toISOString()
  const date = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
  return { timestamp, date, amount: toSompi(FIRST_REWARD / STEP ** (steps + 1)) }
}

const toSompi = (kas: number): number => Math.round(kas * 1e8) / 1e8
