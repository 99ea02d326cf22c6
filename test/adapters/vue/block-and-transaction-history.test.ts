// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { nextTick, onMounted } from 'vue'
import { useBlockListener } from '../../../src/adapters/vue/composables/useBlockListener.js'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useTransactionListener } from '../../../src/adapters/vue/composables/useTransactionListener.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { createChainNode, hash, letter } from '../../engine/stream-contracts/chain-node.js'
import { withApp } from './with-app.js'

describe('useBlockListener', () => {
  it('lists at most maxHistory blocks from mount on, newest first', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useBlockListener({ maxHistory: 2 }) }))
    await result.rpc.connect()
    expect(result.isListening.value).toBe(true)
    node.addBlocks('abc')
    await expect.poll(() => result.blocks.value.map((block) => block.hash)).toEqual([hash('c'), hash('b')])
    result.clear()
    expect(result.blocks.value).toEqual([])
  })

  it('starts with `subscribe`, and keeps its list after `unsubscribe`', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useBlockListener({ autoSubscribe: false }) }))
    await result.rpc.connect()
    node.addBlocks('a')
    await result.subscribe()
    node.addBlocks('b')
    await expect.poll(() => result.blocks.value).toHaveLength(1)
    await result.unsubscribe()
    node.addBlocks('c')
    expect([result.isListening.value, result.blocks.value[0]?.hash]).toEqual([false, hash('b')])
  })

  it('subscribes at once outside a component', () => {
    const { app } = withApp(createScriptedNode(), () => undefined)
    expect(app.runWithContext(() => useBlockListener()).isListening.value).toBe(true)
  })
})

describe('useTransactionListener', () => {
  it('lists accepted transactions, and removes those reverted by a reorg', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useTransactionListener() }))
    await result.rpc.connect()
    await expect.poll(() => node.calls.some(({ method }) => method === 'getSink')).toBe(true)
    await nextTick()
    node.addBlocks('ab')
    await expect.poll(() => result.transactions.value).toEqual([hash('b'), hash('a')])
    node.addBlocks('c', 1)
    await expect.poll(() => result.transactions.value).toEqual([hash('c'), hash('a')])
    expect(result.acceptedTransactions.value[0]).toEqual({
      transactionId: hash('c'),
      acceptingBlockHash: hash('c'),
      senderAddresses: [],
    })
    result.clear()
    expect(result.transactions.value).toEqual([])
  })
})

describe.each([
  ['useBlockListener', useBlockListener, 'block-added'],
  ['useTransactionListener', useTransactionListener, 'virtual-chain-changed'],
] as const)('%s', (_, useListener, type) => {
  it('resolves `subscribe` once the node has confirmed it', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useListener({ autoSubscribe: false }) }))
    await result.rpc.connect()
    await result.subscribe()
    expect([node.count('subscribe', type), result.isListening.value, result.error.value]).toEqual([1, true, null])
  })

  it('resolves `subscribe` at once without a connection, and subscribes with the next one', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useListener({ autoSubscribe: false }) }))
    await result.subscribe()
    expect([node.count('subscribe', type), result.isListening.value]).toEqual([0, true])
    await result.rpc.connect()
    expect(node.count('subscribe', type)).toBe(1)
  })

  it('shows the refusal of the node, and rejects `subscribe` with it', async () => {
    const node = createChainNode()
    node.respond('subscribe', () => new Error('too many subscriptions'))
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useListener({ autoSubscribe: false }) }))
    await result.rpc.connect()
    await expect(result.subscribe()).rejects.toMatchObject({ code: 'remote', method: 'subscribe' })
    expect(result.error.value).toMatchObject({ code: 'remote', cause: new Error('too many subscriptions') })
  })

  it('subscribes at once in a mounted component', () => {
    const listeners: { readonly isListening: { readonly value: boolean } }[] = []
    withApp(createScriptedNode(), () => onMounted(() => void listeners.push(useListener())))
    expect(listeners.map(({ isListening }) => isListening.value)).toEqual([true])
  })

  it('rejects an invalid maxHistory', () => {
    const node = createChainNode()
    expect(() => withApp(node, () => useListener({ maxHistory: -1 }))).toThrow('"maxHistory" is -1')
  })
})

describe('a list with maxHistory 0', () => {
  it('stays empty', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({
      rpc: useRpc(),
      chain: useTransactionListener({ maxHistory: 0 }),
      all: useTransactionListener(),
    }))
    await result.rpc.connect()
    node.addBlocks('a')
    await expect.poll(() => result.all.transactions.value).toEqual([hash('a')])
    expect(result.chain.transactions.value).toEqual([])
  })
})

describe('senders', () => {
  it('are added to the list when resolved, and can be resolved by id', async () => {
    const node = createChainNode()
    node.respond('getVirtualChainFromBlockV2', () => new Error('The address is invalid'))
    node.respond('getUtxoReturnAddress', ({ txid }) => ({ returnAddress: `kaspasim:${letter(txid)}` }))
    const { result } = withApp(node, () => ({
      rpc: useRpc(),
      automatic: useTransactionListener({ includeSenderAddresses: true }),
      manual: useTransactionListener(),
    }))
    await result.rpc.connect()
    node.addBlocks('a')
    await expect.poll(() => result.automatic.acceptedTransactions.value[0]?.senderAddresses).toEqual(['kaspasim:a'])
    expect(result.manual.acceptedTransactions.value[0]?.senderAddresses).toEqual([])
    expect(await result.manual.resolveSenderAddresses(hash('a'))).toEqual(['kaspasim:a'])
    await expect.poll(() => result.manual.acceptedTransactions.value[0]?.senderAddresses).toEqual(['kaspasim:a'])
  })
})

describe('lists', () => {
  /** Both lists in one component, and their lengths. */
  const useLists = () => {
    const [rpc, network, chain, dag] = [useRpc(), useNetwork(), useTransactionListener(), useBlockListener()]
    return { rpc, network, chain, dag, lengths: () => [chain.transactions.value.length, dag.blocks.value.length] }
  }

  it('can be cleared while unsubscribed', async () => {
    const node = createChainNode()
    const { result } = withApp(node, useLists)
    await result.rpc.connect()
    node.addBlocks('a')
    await expect.poll(result.lengths).toEqual([1, 1])
    await Promise.all([result.chain.unsubscribe(), result.dag.unsubscribe()])
    result.chain.clear()
    result.dag.clear()
    expect(result.lengths()).toEqual([0, 0])
  })

  it('are cleared on another network, also while unsubscribed', async () => {
    const node = createChainNode()
    const { result } = withApp(node, useLists)
    await result.rpc.connect()
    node.addBlocks('a')
    await expect.poll(result.lengths).toEqual([1, 1])
    await Promise.all([result.chain.unsubscribe(), result.dag.unsubscribe()])
    node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: 'devnet' }))
    await result.network.switchNetwork('devnet')
    expect(result.lengths()).toEqual([0, 0])
  })

  it('drop events of the frame in which the network was switched', async () => {
    const node = createChainNode()
    const { result } = withApp(node, useLists)
    await result.rpc.connect()
    node.addBlocks('a')
    node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: 'devnet' }))
    await result.network.switchNetwork('devnet')
    const block = fixtures.block()
    node.notify({ type: 'block-added', data: { block } })
    await expect.poll(() => result.dag.blocks.value.map((added) => added.hash)).toEqual([block.header.hash])
    expect(result.chain.transactions.value).toEqual([])
  })

  it('start empty on another network', async () => {
    const node = createChainNode()
    const { result } = withApp(node, () => ({
      rpc: useRpc(),
      network: useNetwork(),
      chain: useTransactionListener(),
      dag: useBlockListener(),
    }))
    await result.rpc.connect()
    node.addBlocks('a')
    await expect.poll(() => [result.chain.transactions.value.length, result.dag.blocks.value.length]).toEqual([1, 1])
    node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: 'devnet' }))
    await result.network.switchNetwork('devnet')
    expect([result.chain.transactions.value, result.dag.blocks.value]).toEqual([[], []])
    node.addBlocks('b')
    await expect.poll(() => result.chain.transactions.value).toEqual([hash('b')])
  })
})
