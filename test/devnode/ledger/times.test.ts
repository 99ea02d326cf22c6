import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { recorded } from './recorded.js'

const FIRST = 1_795_234_286_708
const INTERVAL = 45

/** A chain of 1,002 blocks, one every 45 ms, and genesis in 2021. */
function chain(rpcMode: 'safe' | 'unsafe' = 'safe'): Ledger {
  const ledger = createLedger({ rpcMode })
  for (let block = 0; block < 1003; block++) ledger.mine({ now: FIRST + INTERVAL * block })
  return ledger
}

describe('getDaaScoreTimestampEstimate', () => {
  const ledger = chain()
  const timesOf = (...daaScores: bigint[]) => {
    const result = ledger.call('getDaaScoreTimestampEstimate', { daaScores }, 0)
    return result.ok ? result.value.timestamps : []
  }

  it('returns the times of genesis and sink, and extrapolates at ten blocks a second', () => {
    const { genesisTimestamp } = recorded('getDaaScoreTimestampEstimate')
    const sink = BigInt(FIRST + INTERVAL * 1002)
    expect(timesOf(0n, 1002n, 1012n, 2002n)).toEqual([
      BigInt(String(genesisTimestamp)),
      sink,
      sink + 1000n,
      sink + 100_000n,
    ])
  })

  it('interpolates between sampled blocks', () => {
    const [early, middle] = timesOf(1n, 500n)
    expect(Number(early)).toBeGreaterThan(1_633_687_894_966)
    expect(Number(early)).toBeLessThan(FIRST - 1_000_000_000)
    expect(Number(middle)).toBeCloseTo(FIRST + INTERVAL * 500, -2)
  })

  it('returns a time for each requested score, in that order', () => {
    expect(timesOf()).toEqual([])
    expect(timesOf(2002n, 0n, 2002n)).toEqual([timesOf(2002n)[0], timesOf(0n)[0], timesOf(2002n)[0]])
  })
})

describe('estimateNetworkHashesPerSecond', () => {
  const [safe, unsafe] = [chain(), chain('unsafe')]
  const rate = (ledger: Ledger, windowSize: number, startHash?: string) => {
    const result = ledger.call('estimateNetworkHashesPerSecond', { windowSize, startHash }, 0)
    return result.ok ? result.value.networkHashesPerSecond : result.message
  }

  it('returns two hashes per block over the time of the window', () => {
    const seconds = BigInt(Math.floor((INTERVAL * 999) / 1000))
    expect(rate(safe, 1000)).toBe((2n * 999n) / seconds)
  })

  it.each([
    [100, 'difficulty error: under min allowed window size (100 < 1000)'],
    [999, 'difficulty error: under min allowed window size (999 < 1000)'],
    [10_001, 'Requested window size 10001 is larger than max 10000 allowed in RPC safe mode.'],
  ])('rejects a window of %s blocks', (windowSize, message) => {
    expect(rate(safe, windowSize)).toBe(message)
  })

  it('rejects a window beyond the pruning depth, and an unknown start block', () => {
    expect(rate(unsafe, 4_000_000_000)).toBe(
      'Requested window size 4000000000 is larger than pruning point depth 1080000.',
    )
    expect(rate(safe, 1000, 'ab'.repeat(32))).toBe(`cannot find header ${'ab'.repeat(32)}`)
  })
})
