import { describe, expect, it } from 'vitest'
import { DEFAULT_RETRIES, backoff, firstRetryDelay } from '../../../src/streams/connection/policy.js'
import { isLocal, type Target } from '../../../src/streams/connection/endpoints.js'

const delays = (random: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].map((attempt) => backoff(attempt, DEFAULT_RETRIES, random))

describe('the retry delay', () => {
  it('doubles from 1 s to 30 s', () => {
    expect(delays(0)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  it('is shortened at random by up to a half', () => {
    expect(delays(0.5)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500])
  })

  it('is finite after many attempts', () => {
    expect(backoff(100_000, DEFAULT_RETRIES, 0)).toBe(30_000)
  })

  it('is at most 250 ms after an established connection was dropped', () => {
    expect([firstRetryDelay(0), firstRetryDelay(0.999)]).toEqual([0, 249])
  })
})

describe('isLocal', () => {
  const to = (...urls: string[]): Target => ({ network: 'simnet', encoding: 'Borsh', urls, resolver: 'skip' })
  it.each([
    ['ws://127.0.0.1:17510', true],
    ['ws://localhost', true],
    ['ws://[::1]:17510/path', true],
    ['wss://localhost.example', false],
    ['ws://127.0.0.1.example', false],
    ['ws://10.0.0.1', false],
  ])('recognizes loopback addresses: %s, %s', (url, local) => {
    expect(isLocal(to(url))).toBe(local)
    expect(isLocal({ ...to(url), resolver: 'use' })).toBe(false)
  })
})
