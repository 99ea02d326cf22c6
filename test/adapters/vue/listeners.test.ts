// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { useBlockListener } from '../../../src/adapters/vue/composables/useBlockListener.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useTransactionListener } from '../../../src/adapters/vue/composables/useTransactionListener.js'
import type { NodeNotification, RpcBlock, VirtualChainResult } from '../../../src/node/messages/records.js'
import { createScriptedNode } from './scripted-node.js'
import { withApp } from './with-app.js'

const hash = (letter: string): string => letter.repeat(64)

const blockAdded = (letter: string): NodeNotification => ({ type: 'block-added', data: { block: blockOf(letter) } })

const blockOf = (letter: string): RpcBlock => ({
  header: {
    hash: hash(letter),
    version: 1,
    parentsByLevel: [],
    hashMerkleRoot: hash('0'),
    acceptedIdMerkleRoot: hash('0'),
    utxoCommitment: hash('0'),
    timestamp: 5n,
    bits: 0,
    nonce: 0n,
    daaScore: 1n,
    blueWork: '0',
    blueScore: 1n,
    pruningPoint: hash('0'),
  },
  transactions: [],
  verboseData: undefined,
})

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
  const node = createScriptedNode({
    getSink: () => ({ sink: hash(chain.at(-1)?.[0] ?? '') }),
    getVirtualChainFromBlock: ({ startHash }) => toResult([], after(startHash)),
  })
  /** The chain grows by a block, once `removed` of its tips are gone. */
  const grow = (block: string, transaction: string, removed = 0): void => {
    const gone = chain.splice(chain.length - removed).map(([tip]) => tip)
    chain.push([block, transaction])
    node.notify({ type: 'virtual-chain-changed', data: toResult(gone.reverse(), [[block, transaction]]) })
  }
  return { node, grow }
}

describe('useBlockListener', () => {
  it('lists blocks newest first from mount on, as many as it is told to keep', async () => {
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

  it('waits for `subscribe`, and rests after `unsubscribe` with what it has', async () => {
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

  it('listens at once where there is no component to be mounted', () => {
    const { app, unmount } = withApp(createScriptedNode(), () => undefined)
    expect(app.runWithContext(() => useBlockListener()).isListening.value).toBe(true)
    unmount()
  })
})

describe('useTransactionListener', () => {
  it('lists what is accepted, and lets go of what a reorg takes back', async () => {
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
