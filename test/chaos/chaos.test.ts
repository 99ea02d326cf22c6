import { expect, it } from 'vitest'
import { runChaos } from './chaos.js'

it.each([
  { seed: 101, encoding: 'Borsh' },
  { seed: 102, encoding: 'SerdeJson' },
  { seed: 103, encoding: 'Borsh' },
] as const)(
  'knows exactly what is true after a hundred faults of seed $seed, in $encoding',
  { timeout: 60_000 },
  async (run) => {
    const report = await runChaos({ ...run, faults: 100 })
    expect(report).toMatchObject({ lost: [], doubled: [], hung: [] })
  },
)
