import { asyncScheduler } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createParts } from '../../src/engine/core.js'
import { feature } from '../../src/engine/core-parts.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { rpc } from '../../src/engine/features/node-calls.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createChainNode, hash, type ChainNode } from './stream-contracts/chain-node.js'

/** A core connected to a node of a version. */
async function connectTo(serverVersion: string) {
  const node = createChainNode()
  node.respond('getServerInfo', () => fixtures.serverInfo({ serverVersion }))
  const platform = createTestPlatform({ scheduler: asyncScheduler, frame: 0 })
  const core = createParts({ network: 'simnet', ports: { node, platform } })
  onTestFinished(() => core.dispose())
  await core.connection.connect()
  return { core, node }
}

const callCount = (node: ChainNode, method: string): number =>
  node.calls.filter((call) => call.method === method).length

describe('an older node', () => {
  it.each([
    ['0.15.0', 'getUtxoReturnAddress', '0.16.1'],
    ['1.0.1', 'getVirtualChainFromBlockV2', '1.1.0'],
  ] as const)('of %s is never sent %s, which would close the connection', async (version, method, since) => {
    const { core, node } = await connectTo(version)
    const queries = {
      getUtxoReturnAddress: () => feature(core, rpc).getUtxoReturnAddress(hash('a'), 1n),
      getVirtualChainFromBlockV2: () => feature(core, rpc).getVirtualChainFromBlockV2(hash('a')),
    }
    await expect(queries[method]()).rejects.toMatchObject({
      name: 'ChainRpcError',
      code: 'unsupported',
      hint: expect.stringContaining(since) as string,
    })
    expect(callCount(node, method)).toBe(0)
  })

  it('without sender queries leaves senders unresolved and makes no call per transaction', async () => {
    const { core, node } = await connectTo('0.15.0')
    const history = feature(core, acceptance).history({ includeSenderAddresses: true })
    history.state$.subscribe()
    await expect.poll(() => callCount(node, 'getSink') > 0).toBe(true)
    node.addBlocks('a')
    await expect.poll(() => history.items().length).toBe(1)
    expect(await history.resolveSenderAddresses(hash('a'))).toEqual([])
    expect([callCount(node, 'getVirtualChainFromBlockV2'), callCount(node, 'getUtxoReturnAddress')]).toEqual([0, 0])
  })
})
