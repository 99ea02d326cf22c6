import { describe, expect, it } from 'vitest'
import { nextReduction, rewardAt } from '../../../src/devnode/rest/endpoints/info.js'
import { recording } from '../../rest/recordings.js'

/** KAS a block by the network's own table, by the first DAA score of a month. */
const SCHEDULE: readonly (readonly [daaScore: bigint, reward: number])[] = [
  [5_246_999n, 7.3416192],
  [5_247_000n, 6.92956578],
  [31_545_000n, 6.54063914],
  [110_439_000n, 5.5],
  [426_015_000n, 2.75],
]

describe('the block reward', () => {
  it.each(SCHEDULE)('from DAA score %s is %s KAS', (daaScore, reward) => {
    expect(rewardAt(daaScore)).toBe(reward)
  })

  it('equals the recorded response for a young chain', () => {
    const { blockreward } = JSON.parse(recording('info', 'blockreward').body) as { blockreward: number }
    expect(rewardAt(300n)).toBe(blockreward)
  })

  it('has the next reduction of the recorded response', () => {
    const { nextHalvingTimestamp, nextHalvingDate, nextHalvingAmount } = JSON.parse(
      recording('info', 'halving').body,
    ) as { nextHalvingTimestamp: number; nextHalvingDate: string; nextHalvingAmount: number }
    const secondsAway = (5_247_000 - 300) / 10
    const next = nextReduction(300n, (nextHalvingTimestamp - secondsAway) * 1000)
    expect(next).toEqual({ timestamp: nextHalvingTimestamp, date: nextHalvingDate, amount: nextHalvingAmount })
  })
})
