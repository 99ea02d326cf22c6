import { defineConfig } from 'vitest/config'

/** Scenarios on real nodes: not part of `npm test`. `KASPAD` is the path of the program. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.scenario.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
})
