import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createMemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { ready } from '../../src/testing/platform.js'
import { FULL, LONG } from '../full.js'
import { runChaos, type ChaosNetwork, type ChaosReport } from './chaos.js'
import { LIMIT } from '../limits.js'

/** Seeds and faults of each: 200 faults in a full run, 1,000 in a long one. */
const [SEEDS, FAULTS] = FULL ? [LONG ? 10 : 2, 100] : [1, 20]

/** A network within this process, with the timers that are current. */
const open = (options: Parameters<typeof createMemoryDevnode>[0]): ChaosNetwork => {
  const devnode = createMemoryDevnode(options)
  return { devnode, platform: devnode.engineOptions.ports.platform }
}

/** Runs in real time, so that everything is loaded that virtual time cannot wait for. */
beforeAll(async () => {
  await ready()
  await runChaos({ seed: 1, faults: 10, open })
})

afterEach(() => void vi.useRealTimers())

it.each(Array.from({ length: SEEDS }, (_, index) => ({ seed: index + 1 })))(
  'a client has the expected state after the faults of seed $seed, in virtual time',
  { timeout: 2 * LIMIT, retry: 0 },
  async ({ seed }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
    const result: { report?: ChaosReport } = {}
    const run = runChaos({ seed, faults: FAULTS, open }).then((report) => (result.report = report))
    while (result.report === undefined) await Promise.race([run, vi.advanceTimersByTimeAsync(5)])
    expect(result.report).toMatchObject({ lost: [], doubled: [], hung: [] })
    expect(result.report.counts.triggered).toBeGreaterThan(FAULTS / 2)
  },
)
