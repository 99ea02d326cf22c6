import { describe, expect, it } from 'vitest'
import { DEFAULT_RETRIES, backoff, firstRetryDelay } from '../../../src/streams/connection/policy.js'
import { isLocal, type Target } from '../../../src/streams/connection/target.js'

const waits = (random: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].map((attempt) => backoff(attempt, DEFAULT_RETRIES, random))

describe('the wait before a retry', () => {
  it('doubles from a second to half a minute', () => {
    expect(waits(0)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  it('is shorter by chance, by half at most, so that clients do not return together', () => {
    expect(waits(0.5)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500])
  })

  it('is finite after ever so many attempts', () => {
    expect(backoff(100_000, DEFAULT_RETRIES, 0)).toBe(30_000)
  })

  it('is a quarter of a second at most after an established connection was lost', () => {
    expect([firstRetryDelay(0), firstRetryDelay(0.999)]).toEqual([0, 249])
  })
})

describe('a target on this machine', () => {
  const to = (...urls: string[]): Target => ({ network: 'simnet', encoding: 'Borsh', urls, resolver: 'leave' })
  it.each([
    ['ws://127.0.0.1:17510', true],
    ['ws://localhost', true],
    ['ws://[::1]:17510/path', true],
    ['wss://localhost.example', false],
    ['ws://127.0.0.1.example', false],
    ['ws://10.0.0.1', false],
  ])('is not in need of a network: %s, %s', (url, local) => {
    expect(isLocal(to(url))).toBe(local)
    expect(isLocal({ ...to(url), resolver: 'ask' })).toBe(false)
  })
})
