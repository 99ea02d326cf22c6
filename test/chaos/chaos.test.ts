import { describe, expect, it } from 'vitest'
import { runChaos } from './chaos.js'

describe.concurrent('a client that lived through sixty faults', () => {
  it.each([
    { seed: 101, encoding: 'Borsh' },
    { seed: 102, encoding: 'SerdeJson' },
    { seed: 103, encoding: 'Borsh' },
  ] as const)(
    'knows exactly what one knows who had none: seed $seed, in $encoding',
    { timeout: 90_000 },
    async (run) => {
      const report = await runChaos({ ...run, faults: 60 })
      expect(report).toMatchObject({ lost: [], doubled: [], hung: [] })
    },
  )
})
