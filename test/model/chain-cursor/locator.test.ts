import { describe, expect, it } from 'vitest'
import {
  entriesOf,
  extendLocator,
  isHeavier,
  locatorAt,
  rollBackLocator,
  type ChainLocator,
} from '../../../src/model/chain-cursor/locator.js'

const hashOf = (score: number): string => score.toString(16).padStart(64, '0')
const blockAt = (score: number) => ({ hash: hashOf(score), blueScore: BigInt(score) })
const tipAt = (score: number) => ({ ...blockAt(score), blueWork: score.toString(16) })
const scoresOf = (locator: ChainLocator): number[] => entriesOf(locator).map(({ blueScore }) => Number(blueScore))

/** A locator after all blocks of 1 to `end`, in batches of `size`. */
function followed(end: number, size: number): ChainLocator {
  let locator = locatorAt(tipAt(0))
  for (let score = 0; score < end; score += size) {
    const blocks = Array.from({ length: Math.min(size, end - score) }, (_, at) => blockAt(score + at + 1))
    locator = extendLocator(locator, blocks, tipAt(score + blocks.length).blueWork)
  }
  return locator
}

describe('a locator', () => {
  it.each([1, 7, 100, 2_480])(
    'holds the 16 newest blocks and older ones at doubling distances: batches of %i',
    (size) => {
      const end = 60_000
      const scores = scoresOf(followed(end, size))
      expect(scores.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, at) => end - at))
      for (let distance = 16; distance * 4 <= end; distance *= 2) {
        const within = scores.filter((score) => end - score >= distance && end - score < 4 * distance)
        expect(within, `between ${distance} and ${4 * distance} below the tip`).not.toHaveLength(0)
      }
      expect(scores.length).toBeLessThanOrEqual(16 + 2 * Math.ceil(Math.log2(end)))
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
    },
  )

  it('drops blocks beyond the pruning horizon', () => {
    const old = locatorAt(tipAt(1))
    const recent = extendLocator(old, [blockAt(2 ** 21)], 'ff')
    expect(scoresOf(recent)).toEqual([2 ** 21, 1])
    let locator = recent
    for (let more = 1; more <= 20; more++) locator = extendLocator(locator, [blockAt(2 ** 21 + more)], 'ff')
    expect(scoresOf(locator)).not.toContain(1)
    expect(scoresOf(locator)).toContain(2 ** 21)
  })

  it('is unchanged by an empty batch', () => {
    const locator = followed(40, 5)
    expect(extendLocator(locator, [], 'ff')).toEqual(locator)
  })

  it('ends at the fork point after a rollback', () => {
    const locator = rollBackLocator(followed(1_000, 10), tipAt(995))
    expect(scoresOf(locator).slice(0, 3)).toEqual([995, 994, 993])
    expect(locator.tip.blueWork).toBe(tipAt(995).blueWork)
    expect(scoresOf(rollBackLocator(locatorAt(tipAt(10)), tipAt(4)))).toEqual([4])
  })
})

describe('isHeavier', () => {
  const [low, high] = ['1'.repeat(64), '2'.repeat(64)]
  it.each([
    { a: { blueWork: '0a', hash: low }, b: { blueWork: '9', hash: high }, expected: true },
    { a: { blueWork: '9', hash: high }, b: { blueWork: '10', hash: low }, expected: false },
    { a: { blueWork: '0009', hash: high }, b: { blueWork: '9', hash: low }, expected: true },
    { a: { blueWork: '9', hash: low }, b: { blueWork: '9', hash: low }, expected: false },
    { a: { blueWork: '', hash: high }, b: { blueWork: '0', hash: low }, expected: true },
  ])('compares $a with $b by blue work, then by hash', ({ a, b, expected }) => {
    expect(isHeavier({ ...a, blueScore: 1n }, { ...b, blueScore: 9n })).toBe(expected)
  })
})
