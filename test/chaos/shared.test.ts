import { expect, it } from 'vitest'
import { FULL } from '../full.js'
import { LIMIT } from '../limits.js'
import { runSharedChaos } from './shared-chaos.js'

const RUNS = FULL ? [2, 3, 4, 5, 6, 7].map((seed) => ({ seed, faults: 50 })) : [{ seed: 7, faults: 10 }]

it.each(RUNS)(
  'four tabs on one socket have the expected state after $faults faults of seed $seed',
  { timeout: 2 * LIMIT, retry: 0 },
  async (run) => {
    const { lost, doubled, sockets, triggered } = await runSharedChaos(run)
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] })
    expect(sockets).toEqual(sockets.map(() => 1))
    expect(triggered).toBeGreaterThan(run.faults / 2)
  },
)
