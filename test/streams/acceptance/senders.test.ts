import { lastValueFrom, of, throwError, toArray, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { Chain } from '../../../src/streams/acceptance/chain.js'
import { createSenders, type Senders } from '../../../src/streams/acceptance/senders.js'
import type { NodeLink } from '../../../src/streams/session/node-link.js'

type V2 = RpcResponse<'getVirtualChainFromBlockV2'>

const refusal = (method: RpcMethod, words: string): Observable<never> =>
  throwError(() => new ChainRpcError(method, new Error(words), { code: 'remote' }))

/** What a block accepted: a payment of its name, from two of a person's coins and one of another's. */
const acceptedBy = (hash: string): V2['chainBlockAcceptedTransactions'][number] => ({
  chainBlockHeader: { hash },
  acceptedTransactions: [
    { verboseData: { transactionId: `coinbase of ${hash}` }, inputs: [], outputs: [] },
    {
      verboseData: { transactionId: `payment of ${hash}` },
      inputs: ['alice', 'alice', 'bob'].map((scriptPublicKeyAddress) => ({
        verboseData: { utxoEntry: { verboseData: { scriptPublicKeyAddress } } },
      })),
      outputs: [],
    },
  ],
})

interface Scene extends Senders {
  readonly asked: { readonly method: RpcMethod; readonly request: unknown }[]
}

/** A node whose chain is `blocks`, of which ours are remembered; it may refuse. */
function createScene(
  blocks: readonly string[],
  remembered: readonly string[] = blocks,
  refuse: Partial<Record<RpcMethod, string>> = {},
): Scene {
  const asked: Scene['asked'] = []
  const after = (hash: string, confirmations = 0n): readonly string[] =>
    blocks.slice(blocks.indexOf(hash) + 1, confirmations === 0n ? undefined : -Number(confirmations) - 1)
  const answers: { readonly [M in RpcMethod]?: (request: RpcRequest<M>) => unknown } = {
    getVirtualChainFromBlockV2: ({ startHash, minConfirmationCount }) => {
      const added = after(startHash, minConfirmationCount)
      return { addedChainBlockHashes: added, chainBlockAcceptedTransactions: added.map(acceptedBy) }
    },
    getBlock: ({ hash }) => ({
      block: {
        header: { blueScore: BigInt(blocks.indexOf(hash)), daaScore: BigInt(blocks.indexOf(hash) * 2) },
        verboseData: { selectedParentHash: blocks[blocks.indexOf(hash) - 1] },
      },
    }),
    getSinkBlueScore: () => ({ blueScore: BigInt(blocks.length - 1) }),
    getUtxoReturnAddress: ({ txid }) => ({ returnAddress: `first sender of ${txid}` }),
  }
  const call = ((method: RpcMethod, request: never) => {
    asked.push({ method, request })
    const words = refuse[method]
    return words === undefined ? of(answers[method]?.(request)) : refusal(method, words)
  }) as NodeLink['call']
  const chain: Chain = remembered.map((hash) => ({ hash, accepted: [`payment of ${hash}`] }))
  return { ...createSenders({ call, chains: () => [chain] }), asked }
}

const sendersOf = async ({ senders$ }: Scene, block: string, ids = [`payment of ${block}`]) => {
  const answers = await lastValueFrom(senders$(block, ids).pipe(toArray()))
  return ids.map((id) => answers.flatMap((senders) => senders.get(id) ?? []))
}

describe('the senders of what a block accepted', () => {
  it('are asked for once, for all of it, each address once; a coinbase has none', async () => {
    const scene = createScene(['a', 'b', 'c'])
    expect(await sendersOf(scene, 'b', ['payment of b', 'coinbase of b'])).toEqual([['alice', 'bob'], []])
    expect(scene.asked).toEqual([
      { method: 'getVirtualChainFromBlockV2', request: { startHash: 'a', dataVerbosityLevel: 'Low' } },
    ])
  })

  it('come with those of the blocks that follow, which then cost nothing', async () => {
    const scene = createScene(['a', 'b', 'c'])
    await sendersOf(scene, 'b')
    expect(await sendersOf(scene, 'c')).toEqual([['alice', 'bob']])
    expect(scene.asked).toHaveLength(1)
  })

  it('of an old block come without all that came after it', async () => {
    const blocks = Array.from({ length: 500 }, (_, n) => `block ${n}`)
    const scene = createScene(blocks)
    expect(await sendersOf(scene, 'block 100')).toEqual([['alice', 'bob']])
    expect(scene.asked[0]).toMatchObject({ request: { startHash: 'block 99', minConfirmationCount: 389n } })
  })

  it('of a block that is not remembered come alone, once its place is known', async () => {
    const blocks = Array.from({ length: 50 }, (_, n) => `block ${n}`)
    const scene = createScene(blocks, [])
    expect(await sendersOf(scene, 'block 20')).toEqual([['alice', 'bob']])
    expect(scene.asked.map(({ method }) => method)).toEqual([
      'getBlock',
      'getSinkBlueScore',
      'getVirtualChainFromBlockV2',
    ])
    expect(scene.asked[2]).toMatchObject({ request: { startHash: 'block 19', minConfirmationCount: 28n } })
  })

  it('of the last 200 blocks are remembered', async () => {
    const blocks = Array.from({ length: 300 }, (_, n) => `block ${n}`)
    const scene = createScene(blocks, ['a', ...blocks.slice(295)])
    for (const block of blocks.slice(1, 290)) await sendersOf(scene, block)
    const before = scene.asked.length
    await sendersOf(scene, 'block 250')
    expect(scene.asked.length).toBe(before)
    await sendersOf(scene, 'block 10')
    expect(scene.asked.length).toBe(before + 3)
  })

  it('of a block that has left the chain are none, and are asked for again when it is back', async () => {
    const scene = createScene(['a', 'b'], ['a', 'x'])
    expect(await sendersOf(scene, 'x')).toEqual([[]])
    await sendersOf(scene, 'x')
    expect(scene.asked).toHaveLength(2)
  })
})

describe('where the node cannot tell of a whole block', () => {
  const V2 = { getVirtualChainFromBlockV2: 'The address is invalid' }

  it('the first sender of each transaction is asked for', async () => {
    const scene = createScene(['a', 'b'], ['a', 'b'], V2)
    expect(await sendersOf(scene, 'b', ['p', 'q'])).toEqual([['first sender of p'], ['first sender of q']])
    expect(scene.asked.slice(1)).toEqual([
      { method: 'getBlock', request: { hash: 'b', includeTransactions: false } },
      { method: 'getUtxoReturnAddress', request: { txid: 'p', acceptingBlockDaaScore: 2n } },
      { method: 'getUtxoReturnAddress', request: { txid: 'q', acceptingBlockDaaScore: 2n } },
    ])
  })

  it('and what has none is passed over', async () => {
    const words = 'utxo inquirer error: Transaction return address is coinbase'
    const scene = createScene(['a', 'b'], ['a', 'b'], { ...V2, getUtxoReturnAddress: words })
    expect(await sendersOf(scene, 'b')).toEqual([[]])
    expect(await sendersOf(createScene(['a'], [], { ...V2, getBlock: 'cannot find header a' }), 'a')).toEqual([[]])
  })
})

it('a node that does not answer is an error, and can be asked again', async () => {
  const lost = new ChainRpcError('getVirtualChainFromBlockV2', new Error('gone'), { code: 'connection-lost' })
  let asked = 0
  const call = (() => {
    asked++
    return throwError(() => lost)
  }) as NodeLink['call']
  const { senders$ } = createSenders({ call, chains: () => [] })
  await expect(lastValueFrom(senders$('a', ['p']))).rejects.toBe(lost)
  await expect(lastValueFrom(senders$('a', ['p']))).rejects.toBe(lost)
  expect(asked).toBeGreaterThan(2)
})
