// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { nextTick, onMounted } from 'vue'
import { useBlockListener } from '../../../src/adapters/vue/composables/useBlockListener.js'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useTransactionListener } from '../../../src/adapters/vue/composables/useTransactionListener.js'
import type { NodeNotification, RpcBlock, VirtualChainResult } from '../../../src/node/messages/records.js'
import { emptyBlock } from '../../empty-block.js'
import { GREETING, createScriptedNode, type ScriptedNode } from './scripted-node.js'
import { withApp } from './with-app.js'

const hash = (letter: string): string => letter.repeat(64)

const blockAdded = (letter: string): NodeNotification => ({ type: 'block-added', data: { block: blockOf(letter) } })

const blockOf = (letter: string): RpcBlock => emptyBlock(hash(letter))

/** A node with a virtual chain, each block of which accepts one transaction. */
function createChain() {
  const chain: [block: string, transaction: string][] = [['0', '0']]
  const toResult = (removed: string[], added: typeof chain): VirtualChainResult => ({
    removedChainBlockHashes: removed.map(hash),
    addedChainBlockHashes: added.map(([block]) => hash(block)),
    acceptedTransactionIds: added.map(([block, transaction]) => ({
      acceptingBlockHash: hash(block),
      acceptedTransactionIds: [hash(transaction)],
    })),
  })
  const after = (start: string): typeof chain => chain.slice(chain.findIndex(([block]) => hash(block) === start) + 1)
  const parents = new Map<string, string>()
  /** What followed a block: later blocks are heavier. */
  const changesSince = (start: string): VirtualChainResult => {
    const removed: string[] = []
    let at = start
    for (; !chain.some(([block]) => hash(block) === at); at = parents.get(at) ?? hash('0')) removed.push(at)
    return { ...toResult([], after(at)), removedChainBlockHashes: removed }
  }
  const toBlock = (requested: string): RpcBlock => {
    const blueScore = BigInt([...parents.keys()].indexOf(requested) + 2)
    const { header } = emptyBlock(requested)
    const selectedParentHash = parents.get(requested) ?? requested
    return {
      header: { ...header, blueScore, blueWork: blueScore.toString(16) },
      transactions: [],
      verboseData: { ...({} as NonNullable<RpcBlock['verboseData']>), selectedParentHash },
    }
  }
  const node = createScriptedNode({
    getSink: () => ({ sink: hash(chain.at(-1)?.[0] ?? '') }),
    getBlock: ({ hash: requested }) => ({ block: toBlock(requested) }),
    getVirtualChainFromBlock: ({ startHash }) => changesSince(startHash),
    getVirtualChainFromBlockV2: ({ startHash }) => {
      const { acceptedTransactionIds, ...change } = changesSince(startHash)
      return {
        ...change,
        chainBlockAcceptedTransactions: acceptedTransactionIds.map((block) => ({
          chainBlockHeader: toBlock(block.acceptingBlockHash).header,
          acceptedTransactions: block.acceptedTransactionIds.map((id) => ({
            inputs: [],
            outputs: [],
            verboseData: { transactionId: id },
          })),
        })),
      }
    },
  })
  /** Removes the last `removed` chain blocks, then adds one. */
  const grow = (block: string, transaction: string, removed = 0): void => {
    const removedBlocks = chain.splice(chain.length - removed).map(([tip]) => tip)
    parents.set(hash(block), hash(chain.at(-1)?.[0] ?? '0'))
    chain.push([block, transaction])
    node.notify({ type: 'virtual-chain-changed', data: toResult(removedBlocks.reverse(), [[block, transaction]]) })
  }
  return { node, grow }
}

describe('useBlockListener', () => {
  it('lists at most maxHistory blocks from mount on, newest first', async () => {
    const node = createScriptedNode({ getSink: () => ({ sink: hash('0') }) })
    const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), ...useBlockListener({ maxHistory: 2 }) }))
    await result.rpc.connect()
    expect(result.isListening.value).toBe(true)
    for (const letter of ['a', 'b', 'c']) node.notify(blockAdded(letter))
    await expect.poll(() => result.blocks.value.map((block) => block.hash)).toEqual([hash('c'), hash('b')])
    result.clear()
    expect(result.blocks.value).toEqual([])
    unmount()
  })

  it('starts with `subscribe`, and keeps its list after `unsubscribe`', async () => {
    const node = createScriptedNode({ getSink: () => ({ sink: hash('0') }) })
    const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), ...useBlockListener({ autoSubscribe: false }) }))
    await result.rpc.connect()
    node.notify(blockAdded('a'))
    await result.subscribe()
    node.notify(blockAdded('b'))
    await expect.poll(() => result.blocks.value).toHaveLength(1)
    await result.unsubscribe()
    node.notify(blockAdded('c'))
    expect([result.isListening.value, result.blocks.value[0]?.hash]).toEqual([false, hash('b')])
    unmount()
  })

  it('subscribes at once outside a component', () => {
    const { app, unmount } = withApp(createScriptedNode(), () => undefined)
    expect(app.runWithContext(() => useBlockListener()).isListening.value).toBe(true)
    unmount()
  })
})

describe('useTransactionListener', () => {
  it('lists accepted transactions, and removes those reverted by a reorg', async () => {
    const { node, grow } = createChain()
    const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), ...useTransactionListener() }))
    await result.rpc.connect()
    await expect.poll(() => node.calls.some(({ method }) => method === 'getSink')).toBe(true)
    await nextTick()
    grow('a', '1')
    grow('b', '2')
    await expect.poll(() => result.transactions.value).toEqual([hash('2'), hash('1')])
    grow('c', '3', 1)
    await expect.poll(() => result.transactions.value).toEqual([hash('3'), hash('1')])
    expect(result.acceptedTransactions.value[0]).toEqual({
      transactionId: hash('3'),
      acceptingBlockHash: hash('c'),
      senderAddresses: [],
    })
    result.clear()
    expect(result.transactions.value).toEqual([])
    unmount()
  })
})

describe.each([
  ['useBlockListener', useBlockListener, 'block-added'],
  ['useTransactionListener', useTransactionListener, 'virtual-chain-changed'],
] as const)('%s', (_, useListener, type) => {
  /** Number of subscribe calls for this type. */
  const subscribeCount = ({ calls }: ScriptedNode): number =>
    calls.filter(({ method, request }) => method === 'subscribe' && (request as SubscribeRequest).scope.type === type)
      .length

  it('resolves `subscribe` once the node has confirmed it', async () => {
    const { node } = createChain()
    const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), ...useListener({ autoSubscribe: false }) }))
    await result.rpc.connect()
    await result.subscribe()
    expect([subscribeCount(node), result.isListening.value, result.error.value]).toEqual([1, true, null])
    unmount()
  })

  it('resolves `subscribe` at once without a connection, and subscribes with the next one', async () => {
    const { node } = createChain()
    const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), ...useListener({ autoSubscribe: false }) }))
    await result.subscribe()
    expect([subscribeCount(node), result.isListening.value]).toEqual([0, true])
    await result.rpc.connect()
    expect(subscribeCount(node)).toBe(1)
    unmount()
  })

  it('shows the refusal of the node, and rejects `subscribe` with it', async () => {
    const { node } = createChain()
    node.script.subscribe = () => new Error('too many subscriptions')
    const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), ...useListener({ autoSubscribe: false }) }))
    await result.rpc.connect()
    await expect(result.subscribe()).rejects.toMatchObject({ code: 'remote', method: 'subscribe' })
    expect(result.error.value).toMatchObject({ code: 'remote', cause: new Error('too many subscriptions') })
    unmount()
  })

  it('subscribes at once in a mounted component', () => {
    const listeners: { readonly isListening: { readonly value: boolean } }[] = []
    const { unmount } = withApp(createScriptedNode(), () => onMounted(() => void listeners.push(useListener())))
    expect(listeners.map(({ isListening }) => isListening.value)).toEqual([true])
    unmount()
  })

  it('rejects an invalid maxHistory', () => {
    const { node } = createChain()
    expect(() => withApp(node, () => useListener({ maxHistory: -1 }))).toThrow('"maxHistory" is -1')
  })
})

interface SubscribeRequest {
  readonly scope: { readonly type: string }
}

describe('a list with maxHistory 0', () => {
  it('stays empty', async () => {
    const { node, grow } = createChain()
    const { result, unmount } = withApp(node, () => ({
      rpc: useRpc(),
      chain: useTransactionListener({ maxHistory: 0 }),
      all: useTransactionListener(),
    }))
    await result.rpc.connect()
    grow('a', '1')
    await expect.poll(() => result.all.transactions.value).toEqual([hash('1')])
    expect(result.chain.transactions.value).toEqual([])
    unmount()
  })
})

describe('senders', () => {
  it('are added to the list when resolved, and can be resolved by id', async () => {
    const { node, grow } = createChain()
    node.script.getVirtualChainFromBlockV2 = () => new Error('The address is invalid')
    node.script.getUtxoReturnAddress = ({ txid }) => ({ returnAddress: `kaspasim:${txid.charAt(0)}` })
    const { result, unmount } = withApp(node, () => ({
      rpc: useRpc(),
      automatic: useTransactionListener({ includeSenderAddresses: true }),
      manual: useTransactionListener(),
    }))
    await result.rpc.connect()
    grow('a', '1')
    await expect.poll(() => result.automatic.acceptedTransactions.value[0]?.senderAddresses).toEqual(['kaspasim:1'])
    expect(result.manual.acceptedTransactions.value[0]?.senderAddresses).toEqual([])
    expect(await result.manual.resolveSenderAddresses(hash('1'))).toEqual(['kaspasim:1'])
    await expect.poll(() => result.manual.acceptedTransactions.value[0]?.senderAddresses).toEqual(['kaspasim:1'])
    unmount()
  })
})

describe('lists', () => {
  /** Both lists in one component, and their lengths. */
  const useLists = () => {
    const [rpc, network, chain, dag] = [useRpc(), useNetwork(), useTransactionListener(), useBlockListener()]
    return { rpc, network, chain, dag, lengths: () => [chain.transactions.value.length, dag.blocks.value.length] }
  }
  const notifyBoth = ({ node, grow }: ReturnType<typeof createChain>): void => {
    grow('a', '1')
    node.notify(blockAdded('a'))
  }

  it('can be cleared while unsubscribed', async () => {
    const chain = createChain()
    const { result, unmount } = withApp(chain.node, useLists)
    await result.rpc.connect()
    notifyBoth(chain)
    await expect.poll(result.lengths).toEqual([1, 1])
    await Promise.all([result.chain.unsubscribe(), result.dag.unsubscribe()])
    result.chain.clear()
    result.dag.clear()
    expect(result.lengths()).toEqual([0, 0])
    unmount()
  })

  it('are cleared on another network, also while unsubscribed', async () => {
    const chain = createChain()
    const { result, unmount } = withApp(chain.node, useLists)
    await result.rpc.connect()
    notifyBoth(chain)
    await expect.poll(result.lengths).toEqual([1, 1])
    await Promise.all([result.chain.unsubscribe(), result.dag.unsubscribe()])
    chain.node.script.getServerInfo = () => ({ ...GREETING, networkId: 'devnet' })
    await result.network.switchNetwork('devnet')
    expect(result.lengths()).toEqual([0, 0])
    unmount()
  })

  it('drop events of the frame in which the network was switched', async () => {
    const chain = createChain()
    const { result, unmount } = withApp(chain.node, useLists)
    await result.rpc.connect()
    notifyBoth(chain)
    chain.node.script.getServerInfo = () => ({ ...GREETING, networkId: 'devnet' })
    await result.network.switchNetwork('devnet')
    chain.node.notify(blockAdded('b'))
    await expect.poll(() => result.dag.blocks.value.map((block) => block.hash)).toEqual([hash('b')])
    expect(result.chain.transactions.value).toEqual([])
    unmount()
  })

  it('start empty on another network', async () => {
    const { node, grow } = createChain()
    const { result, unmount } = withApp(node, () => ({
      rpc: useRpc(),
      network: useNetwork(),
      chain: useTransactionListener(),
      dag: useBlockListener(),
    }))
    await result.rpc.connect()
    grow('a', '1')
    node.notify(blockAdded('a'))
    await expect.poll(() => [result.chain.transactions.value.length, result.dag.blocks.value.length]).toEqual([1, 1])
    node.script.getServerInfo = () => ({ ...GREETING, networkId: 'devnet' })
    await result.network.switchNetwork('devnet')
    expect([result.chain.transactions.value, result.dag.blocks.value]).toEqual([[], []])
    grow('b', '2')
    await expect.poll(() => result.chain.transactions.value).toEqual([hash('2')])
    unmount()
  })
})
