import { describe, expect, it } from 'vitest'
import { fit, grows, type Sample } from './fit.js'

const samples = (values: readonly number[]): Sample[] => values.map((value, at) => ({ at: 30 * at, value }))
const noise = [3, -2, 0, 4, -5, 1, 2, -3, 5, -4, 0, -1]

describe('the fit of a soak', () => {
  it('is the line of samples that lie on one', () => {
    expect(fit(samples([10, 12, 14, 16]))).toEqual({ mean: 13, growth: 6, error: 0 })
  })

  it.each<[string, readonly number[], boolean]>([
    ['a level with noise', noise.map((one) => 100 + one), false],
    ['a slow leak below noise of the same size', noise.map((one, at) => 100 + one + at), true],
    ['a leak within the tolerance', noise.map((_, at) => 100 + at / 12), false],
    ['a level that falls', noise.map((_, at) => 100 - at), false],
    ['one outlier at the end', [...noise.map(() => 100), 140], false],
    ['too few samples to know', [1, 1], true],
  ])('judges %s', (_, values, expected) => {
    expect(grows({ name: 'heap', tolerance: 1, samples: samples(values) })).toBe(expected)
  })
})
