// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { AVAILABLE_NETWORKS } from '../../../src/model/network.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createNode, openSockets, withApp } from './with-app.js'

it('shows the current network, its id, and the available networks', async () => {
  const { result } = withApp(createNode(), () => ({ ...useNetwork(), connect: useRpc().connect }))
  expect([result.currentNetwork.value, result.networkId.value]).toEqual(['simnet', null])
  expect([result.isMainnet.value, result.isTestnet.value]).toEqual([false, false])
  expect(result.availableNetworks).toBe(AVAILABLE_NETWORKS)
  await result.connect()
  expect([result.networkId.value, result.daaScore.value]).toEqual(['simnet', 1_000n])
})

it('switches the network and the connection', async () => {
  const node = createNode()
  const { result } = withApp(node, () => ({ ...useNetwork(), rpc: useRpc() }))
  await result.rpc.connect()
  node.respond('getServerInfo', () => Promise.resolve(fixtures.serverInfo({ networkId: 'testnet-10' })))
  await result.switchNetwork('testnet-10', { url: 'ws://testnet-node' })
  expect([result.currentNetwork.value, result.networkId.value]).toEqual(['testnet-10', 'testnet-10'])
  expect(result.isTestnet.value).toBe(true)
  expect(result.rpc.url.value).toContain('testnet-node')
  expect(openSockets(node)).toBe(1)
})

it('keeps the configured node when switched to the current network', async () => {
  const { result } = withApp(createNode(), () => ({ ...useNetwork(), rpc: useRpc() }), {
    url: 'ws://my-node:17510',
  })
  await result.rpc.connect()
  await result.switchNetwork('simnet')
  expect(result.rpc.url.value).toBe('ws://my-node:17510')
})

it('resets the DAA score until known on another network', async () => {
  const node = createNode()
  const { result } = withApp(node, () => ({ ...useNetwork(), rpc: useRpc() }))
  await result.rpc.connect()
  expect(result.daaScore.value).toBe(1_000n)
  await result.rpc.disconnect()
  await result.switchNetwork('testnet-10')
  await expect.poll(() => result.daaScore.value).toBe(0n)
})

it('rejects an unknown network, and keeps the current one', async () => {
  const { result } = withApp(createNode(), useNetwork)
  await expect(result.switchNetwork('venusnet' as 'mainnet')).rejects.toMatchObject({ code: 'invalid-option' })
  expect(result.currentNetwork.value).toBe('simnet')
})
