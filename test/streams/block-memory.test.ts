import { expect, it } from 'vitest'
import type { RpcBlock } from '../../src/node/messages/records.js'
import { createBlockMemory } from '../../src/streams/block-memory.js'

const block = (hash: string, daaScore = 1n, blueWork = '01'): RpcBlock =>
  ({ header: { hash, daaScore, blueWork } }) as RpcBlock

it('knows a block the second time, whoever tells of it', () => {
  const memory = createBlockMemory()
  expect([memory.isNews(block('a')), memory.isNews(block('a')), memory.isMissed(block('a'))]).toEqual([
    true,
    false,
    false,
  ])
  expect([memory.isMissed(block('b')), memory.isNews(block('b'))]).toEqual([true, false])
})

it('remembers the heaviest one told of, and begins where it is told to only before any', () => {
  const memory = createBlockMemory()
  expect(memory.latest()).toBeNull()
  memory.begin('sink')
  expect(memory.latest()).toBe('sink')
  memory.isNews(block('a'))
  memory.begin('another sink')
  expect(memory.latest()).toBe('a')
  memory.isNews(block('b', 2n, '02'))
  memory.isMissed(block('of an old branch', 1n, '01'))
  expect(memory.latest()).toBe('b')
})

it('tells of the block where it began, if the node does: that came after the question', () => {
  const memory = createBlockMemory()
  memory.begin('a')
  expect(memory.isNews(block('a'))).toBe(true)
})

it('remembers 5,000, and takes none for news that is older than what it forgot, unless the node tells of it', () => {
  const memory = createBlockMemory()
  for (let n = 0; n < 5_001; n++) memory.isNews(block(`block ${n}`, BigInt(n)))
  expect(memory.isMissed(block('block 0', 0n))).toBe(false)
  expect(memory.isMissed(block('block 1', 1n))).toBe(false)
  expect(memory.isMissed(block('a late one', 6_000n))).toBe(true)
  expect(memory.isNews(block('of an old branch', 0n))).toBe(true)
})
