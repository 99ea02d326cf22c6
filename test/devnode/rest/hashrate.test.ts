import { describe, expect, it } from 'vitest'
import { createLocalIndexer } from './local-indexer.js'

const HOUR = 3_600_000

/** Two blocks, an hour apart. */
function createScenario() {
  const indexer = createLocalIndexer()
  indexer.mine()
  indexer.advance(HOUR)
  indexer.mine()
  return indexer
}

describe('the hash rate history', () => {
  it('has bits for single samples, and null for aggregated ones', async () => {
    const fine = await createScenario().read('GET', '/info/hashrate/history?resolution=15m')
    expect(fine).toMatchObject([{ bits: 0x207fffff }, { bits: 0x207fffff }])
    const coarse = await createScenario().read('GET', '/info/hashrate/history?resolution=1h')
    expect(coarse).toMatchObject([{ bits: null }, { bits: null }])
  })

  it('truncates difficulties to integers, newest first', async () => {
    const history = await createScenario().read('GET', '/info/hashrate/history/2026-11-21')
    expect(history).toMatchObject([
      { difficulty: 1, hashrate_kh: 0, blueScore: 2 },
      { difficulty: 1, hashrate_kh: 0, blueScore: 1 },
    ])
  })
})

describe('the highest hash rate', () => {
  it('has the block with an integer difficulty', async () => {
    const max = await createScenario().read('GET', '/info/hashrate/max')
    expect(max).toMatchObject({ blockheader: { difficulty: 1, timestamp: '2021-10-08T10:11:34.966000' } })
  })
})
