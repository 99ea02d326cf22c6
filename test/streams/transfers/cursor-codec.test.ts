import { afterAll, expect, it, vi } from 'vitest'
import { createMemoryDevnode } from '../../../src/devnode/memory/index.js'
import { createChainEngine } from '../../../src/engine/engine.js'
import { decodeCursor, decodePosition, encodeCursor } from '../../../src/model/chain-cursor/cursor.js'

vi.mock('../../../src/model/chain-cursor/cursor.js', { spy: true }) // counts the calls, which do what they do

const devnode = createMemoryDevnode({ blockInterval: 0, accounts: 1 })
const engine = createChainEngine({ ...devnode.engineOptions, reconnect: false })
afterAll(async () => {
  await engine.dispose()
  await devnode.close()
})

it.each([
  ['transfers', () => engine.followTransfers({ addresses: [devnode.accounts[0]!.address] })],
  ['the chain', () => engine.followChain()],
])('a batch of %s encodes its cursor once, and decodes none', async (_, follow) => {
  await engine.connection.connect()
  const batches = follow()
  for (let { value } = await batches.next(); value?.isLive !== true;) ({ value } = await batches.next())
  for (let block = 0; block < 3; block++) {
    vi.clearAllMocks()
    await devnode.mine(1)
    const { value } = await batches.next()
    expect(value?.cursor).toBeTypeOf('string')
    const calls = [encodeCursor, decodeCursor, decodePosition].map((codec) => vi.mocked(codec).mock.calls.length)
    expect(calls).toEqual([1, 0, 0])
  }
  await batches.return?.()
})
