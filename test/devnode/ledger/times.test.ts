import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { recorded } from './recorded.js'

const FIRST = 1_795_234_286_708
const PACE = 45

/** A chain of 1,002 blocks, one every 45 ms, and genesis in 2021. */
function chain(rpcMode: 'safe' | 'unsafe' = 'safe'): Ledger {
  const ledger = createLedger({ rpcMode })
  for (let block = 0; block < 1003; block++) ledger.mine({ now: FIRST + PACE * block })
  return ledger
}

describe('the time of a DAA score', () => {
  const ledger = chain()
  const timesOf = (...daaScores: bigint[]) => {
    const answer = ledger.answer('getDaaScoreTimestampEstimate', { daaScores }, 0)
    return answer.ok ? answer.value.timestamps : []
  }

  it('is that of genesis and of the sink, and above the sink goes on at ten blocks a second', () => {
    const { genesisTimestamp } = recorded('getDaaScoreTimestampEstimate')
    const sink = BigInt(FIRST + PACE * 1002)
    expect(timesOf(0n, 1002n, 1012n, 2002n)).toEqual([
      BigInt(String(genesisTimestamp)),
      sink,
      sink + 1000n,
      sink + 100_000n,
    ])
  })

  it('lies in proportion between the few blocks that are looked at', () => {
    const [early, middle] = timesOf(1n, 500n)
    expect(Number(early)).toBeGreaterThan(1_633_687_894_966)
    expect(Number(early)).toBeLessThan(FIRST - 1_000_000_000)
    expect(Number(middle)).toBeCloseTo(FIRST + PACE * 500, -2)
  })

  it('is told for each score that is asked for, in that order', () => {
    expect(timesOf()).toEqual([])
    expect(timesOf(2002n, 0n, 2002n)).toEqual([timesOf(2002n)[0], timesOf(0n)[0], timesOf(2002n)[0]])
  })
})

describe('the hash rate', () => {
  const [safe, unsafe] = [chain(), chain('unsafe')]
  const rate = (ledger: Ledger, windowSize: number, startHash?: string) => {
    const answer = ledger.answer('estimateNetworkHashesPerSecond', { windowSize, startHash }, 0)
    return answer.ok ? answer.value.networkHashesPerSecond : answer.message
  }

  it('is two hashes a block over the time that the window took', () => {
    const seconds = BigInt(Math.floor((PACE * 999) / 1000))
    expect(rate(safe, 1000)).toBe((2n * 999n) / seconds)
  })

  it.each([
    [100, 'difficulty error: under min allowed window size (100 < 1000)'],
    [999, 'difficulty error: under min allowed window size (999 < 1000)'],
    [10_001, 'Requested window size 10001 is larger than max 10000 allowed in RPC safe mode.'],
  ])('is refused over a window of %s blocks', (windowSize, message) => {
    expect(rate(safe, windowSize)).toBe(message)
  })

  it('is refused beyond the pruning depth, and from a block that nobody knows', () => {
    expect(rate(unsafe, 4_000_000_000)).toBe(
      'Requested window size 4000000000 is larger than pruning point depth 1080000.',
    )
    expect(rate(safe, 1000, 'ab'.repeat(32))).toBe(`cannot find header ${'ab'.repeat(32)}`)
  })
})
