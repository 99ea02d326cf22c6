import { describe, expect, it } from 'vitest'
import { createLocalIndexer } from './local-indexer.js'

const HOUR = 3_600_000

/** A block at once, and another an hour later. */
function createWorld() {
  const indexer = createLocalIndexer()
  indexer.mine()
  indexer.pass(HOUR)
  indexer.mine()
  return indexer
}

describe('the history of the hash rate', () => {
  it('has the bits of a sample, and none where several are averaged', async () => {
    const fine = await createWorld().read('GET', '/info/hashrate/history?resolution=15m')
    expect(fine).toMatchObject([{ bits: 0x207fffff }, { bits: 0x207fffff }])
    const coarse = await createWorld().read('GET', '/info/hashrate/history?resolution=1h')
    expect(coarse).toMatchObject([{ bits: null }, { bits: null }])
  })

  it('cuts difficulties to integers, newest first', async () => {
    const history = await createWorld().read('GET', '/info/hashrate/history/2026-11-21')
    expect(history).toMatchObject([
      { difficulty: 1, hashrate_kh: 0, blueScore: 2 },
      { difficulty: 1, hashrate_kh: 0, blueScore: 1 },
    ])
  })
})

describe('the highest hash rate', () => {
  it('tells its block by an integer difficulty', async () => {
    const max = await createWorld().read('GET', '/info/hashrate/max')
    expect(max).toMatchObject({ blockheader: { difficulty: 1, timestamp: '2021-10-08T10:11:34.966000' } })
  })
})
