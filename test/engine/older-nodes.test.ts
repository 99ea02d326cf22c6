import { asyncScheduler, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createCore } from '../../src/engine/core.js'
import { feature } from '../../src/engine/feature.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { rpc } from '../../src/engine/features/rpc.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { GREETING, createChainNode, hash, type ChainNode } from './promises/chain-node.js'

/** A core on a node of some version. */
async function connectTo(serverVersion: string) {
  const node = createChainNode()
  node.answer('getServerInfo', () => of({ ...GREETING, serverVersion }))
  const platform = createTestPlatform({ scheduler: asyncScheduler, frame: 0 })
  const core = createCore({ network: 'simnet', ports: { node, platform } })
  await core.connection.connect()
  return { core, node }
}

const asked = (node: ChainNode, method: string): number => node.calls.filter((call) => call.method === method).length

describe('an older node', () => {
  it.each([
    ['0.15.0', 'getUtxoReturnAddress', '0.16.1'],
    ['1.0.1', 'getVirtualChainFromBlockV2', '1.1.0'],
  ] as const)('of %s is not asked for %s, which would cost the connection', async (version, method, since) => {
    const { core, node } = await connectTo(version)
    const ask = {
      getUtxoReturnAddress: () => feature(core, rpc).getUtxoReturnAddress(hash('a'), 1n),
      getVirtualChainFromBlockV2: () => feature(core, rpc).getVirtualChainFromBlockV2(hash('a')),
    }
    await expect(ask[method]()).rejects.toMatchObject({
      name: 'ChainRpcError',
      code: 'unsupported',
      hint: expect.stringContaining(since) as string,
    })
    expect(asked(node, method)).toBe(0)
    await core.dispose()
  })

  it('that knows no senders leaves the list as it is: nothing is asked for each transaction', async () => {
    const { core, node } = await connectTo('0.15.0')
    const history = feature(core, acceptance).history({ includeSenderAddresses: true })
    history.state$.subscribe()
    node.answer('getBlock', () => of({ block: node.block('a') }))
    await expect.poll(() => asked(node, 'getSink')).toBe(1)
    node.grow('a')
    await expect.poll(() => history.items().length).toBe(1)
    expect(await history.resolveSenderAddresses(hash('a'))).toEqual([])
    expect([asked(node, 'getVirtualChainFromBlockV2'), asked(node, 'getUtxoReturnAddress')]).toEqual([0, 0])
    await core.dispose()
  })
})
