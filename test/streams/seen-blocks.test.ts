import { expect, it } from 'vitest'
import type { RpcBlock } from '../../src/node/messages/records.js'
import { createSeenBlocks } from '../../src/streams/fetch-blocks.js'

const block = (hash: string, daaScore = 1n, blueWork = '01'): RpcBlock =>
  ({ header: { hash, daaScore, blueWork } }) as RpcBlock

it('accepts a block once, notified or fetched', () => {
  const seen = createSeenBlocks()
  expect([seen.addNotified(block('a')), seen.addNotified(block('a')), seen.addFetched(block('a'))]).toEqual([
    true,
    false,
    false,
  ])
  expect([seen.addFetched(block('b')), seen.addNotified(block('b'))]).toEqual([true, false])
})

it('reports the heaviest block, and takes a start block only before the first', () => {
  const seen = createSeenBlocks()
  expect(seen.heaviest()).toBeNull()
  seen.start('sink')
  expect(seen.heaviest()).toBe('sink')
  seen.addNotified(block('a'))
  seen.start('another sink')
  expect(seen.heaviest()).toBe('a')
  seen.addNotified(block('b', 2n, '02'))
  seen.addFetched(block('on an old branch', 1n, '01'))
  expect(seen.heaviest()).toBe('b')
})

it('accepts the start block when it is notified', () => {
  const seen = createSeenBlocks()
  seen.start('a')
  expect(seen.addNotified(block('a'))).toBe(true)
})

it('remembers 5,000 blocks, and rejects fetched blocks older than the pruned ones', () => {
  const seen = createSeenBlocks()
  for (let n = 0; n < 5_001; n++) seen.addNotified(block(`block ${n}`, BigInt(n)))
  expect(seen.addFetched(block('block 0', 0n))).toBe(false)
  expect(seen.addFetched(block('block 1', 1n))).toBe(false)
  expect(seen.addFetched(block('a newer one', 6_000n))).toBe(true)
  expect(seen.addNotified(block('on an old branch', 0n))).toBe(true)
})
