import { describe, expect, it } from 'vitest'
import { runNatsChaos } from '../feed/chaos/nats-chaos.js'
import { hasAtomicBatches, hasNats } from '../feed/support/nats-server.js'
import { FULL } from '../full.js'

/** Limit of a test in ms. */
const LONG = 1_200_000

describe.skipIf(!hasNats)('three instances on JetStream (nats-server 2.10 or later)', () => {
  it.each([
    ...(hasAtomicBatches ? [['atomic batches', true] as const] : []),
    ...(FULL || !hasAtomicBatches ? [['chains of messages', false] as const] : []), // as servers before 2.12 store them
  ])(
    'deliver every transfer once in %s while instances, server, node, networks and consumers fail',
    async (_, isAtomic) => {
      const result = await runNatsChaos({ faults: FULL ? 500 : 10, seed: isAtomic ? 18 : 19, isAtomic })
      expect(result.failures).toEqual([])
      expect(result.differences).toEqual([])
      expect(result.rows).toBeGreaterThan(0)
    },
    LONG,
  )
})
