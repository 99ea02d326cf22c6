import { describe, expect, it } from 'vitest'
import { LagMeter } from '../../src/feed/run-sessions.js'

describe('LagMeter', () => {
  it('knows nothing before a sink and a position are known', () => {
    const meter = new LagMeter(0n)
    expect(meter.measure(5n, 0)).toEqual({ lagBlocks: null, lagSeconds: null })
    meter.see(10n, 0)
    expect(meter.measure(null, 0)).toEqual({ lagBlocks: null, lagSeconds: null })
  })

  it('counts blocks that are deep enough, and seconds since the oldest of them was', () => {
    const meter = new LagMeter(10n)
    meter.see(100n, 1_000)
    meter.see(101n, 2_000)
    meter.see(105n, 3_000)
    expect(meter.measure(90n, 4_000)).toEqual({ lagBlocks: 5n, lagSeconds: 2 }) // block 91 since the sink 101
    expect(meter.measure(91n, 4_000)).toEqual({ lagBlocks: 4n, lagSeconds: 1 })
    expect(meter.measure(95n, 9_000)).toEqual({ lagBlocks: 0n, lagSeconds: 0 })
  })

  it('stays bounded while a feed is far behind', () => {
    const meter = new LagMeter(0n)
    for (let score = 1; score <= 5_000; score++) meter.see(BigInt(score), score * 1_000)
    const { lagBlocks, lagSeconds } = meter.measure(0n, 5_000_000)
    expect(lagBlocks).toBe(5_000n)
    expect(lagSeconds).toBe(4_999) // the oldest sample is kept
  })
})
