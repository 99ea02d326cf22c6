import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { createMemoryDevnode } from '../../../src/devnode/memory/index.js'
import { createChainEngine } from '../../../src/engine/engine.js'

const devnode = createMemoryDevnode({ blockInterval: 0, accounts: 1 })
const engine = createChainEngine({ ...devnode.engineOptions, reconnect: false })
afterEach(() => {
  vi.restoreAllMocks()
})
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
  const [encode, decode] = [vi.spyOn(globalThis, 'btoa'), vi.spyOn(globalThis, 'atob')] // a cursor is text in base64
  for (let block = 0; block < 3; block++) {
    vi.clearAllMocks()
    await devnode.mine(1)
    const { value } = await batches.next()
    expect(value?.cursor).toBeTypeOf('string')
    expect([encode, decode].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
  }
  await batches.return?.()
})
