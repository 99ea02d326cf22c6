import { asyncScheduler, lastValueFrom, of, throwError, toArray, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import { TransactionIds } from '../../../src/model/transaction-ids.js'
import type { AcceptingBlock } from '../../../src/streams/acceptance/acceptance.js'
import { createSenders, type Senders } from '../../../src/streams/acceptance/senders.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import type { NodeLink } from '../../../src/streams/session/node-link.js'

type V2 = RpcResponse<'getVirtualChainFromBlockV2'>

const refusal = (method: RpcMethod, message: string): Observable<never> =>
  throwError(() => new ChainRpcError(method, new Error(message), { code: 'remote' }))

/** The transactions of a block: a coinbase, and a payment of three inputs from two addresses. */
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

interface Harness extends Senders {
  readonly calls: { readonly method: RpcMethod; readonly request: unknown }[]
}

/** A node whose chain is `blocks`, of which some are remembered; it may refuse methods. */
function createHarness(
  blocks: readonly string[],
  remembered: readonly string[] = blocks,
  refuse: Partial<Record<RpcMethod, string>> = {},
): Harness {
  const calls: Harness['calls'] = []
  const after = (hash: string, confirmations = 0n): readonly string[] =>
    blocks.slice(blocks.indexOf(hash) + 1, confirmations === 0n ? undefined : -Number(confirmations) - 1)
  const responses: { readonly [M in RpcMethod]?: (request: RpcRequest<M>) => unknown } = {
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
    calls.push({ method, request })
    const message = refuse[method]
    return message === undefined ? of(responses[method]?.(request)) : refusal(method, message)
  }) as NodeLink['call']
  const chain: readonly AcceptingBlock[] = remembered.map((hash) => ({ hash, accepted: new TransactionIds([]) }))
  return {
    ...createSenders({ call, chains: () => [chain], platform: createTestPlatform({ scheduler: asyncScheduler }) }),
    calls,
  }
}

const sendersOf = async ({ senders$ }: Harness, block: string, ids = [`payment of ${block}`]) => {
  const results = await lastValueFrom(senders$(block, ids).pipe(toArray()))
  return ids.map((id) => results.flatMap((senders) => senders.get(id) ?? []))
}

describe('the senders of a chain block', () => {
  it('are requested once, each address once; a coinbase has none', async () => {
    const harness = createHarness(['a', 'b', 'c'])
    expect(await sendersOf(harness, 'b', ['payment of b', 'coinbase of b'])).toEqual([['alice', 'bob'], []])
    expect(harness.calls).toEqual([
      { method: 'getVirtualChainFromBlockV2', request: { startHash: 'a', dataVerbosityLevel: 'Low' } },
    ])
  })

  it('are cached with those of the following blocks', async () => {
    const harness = createHarness(['a', 'b', 'c'])
    await sendersOf(harness, 'b')
    expect(await sendersOf(harness, 'c')).toEqual([['alice', 'bob']])
    expect(harness.calls).toHaveLength(1)
  })

  it('are requested for an old block without all later blocks', async () => {
    const blocks = Array.from({ length: 500 }, (_, n) => `block ${n}`)
    const harness = createHarness(blocks)
    expect(await sendersOf(harness, 'block 100')).toEqual([['alice', 'bob']])
    expect(harness.calls[0]).toMatchObject({ request: { startHash: 'block 99', minConfirmationCount: 389n } })
  })

  it('are requested alone for a block that is not remembered, once its position is known', async () => {
    const blocks = Array.from({ length: 50 }, (_, n) => `block ${n}`)
    const harness = createHarness(blocks, [])
    expect(await sendersOf(harness, 'block 20')).toEqual([['alice', 'bob']])
    expect(harness.calls.map(({ method }) => method)).toEqual([
      'getBlock',
      'getSinkBlueScore',
      'getVirtualChainFromBlockV2',
    ])
    expect(harness.calls[2]).toMatchObject({ request: { startHash: 'block 19', minConfirmationCount: 28n } })
  })

  it('are cached for the last 200 blocks', async () => {
    const blocks = Array.from({ length: 300 }, (_, n) => `block ${n}`)
    const harness = createHarness(blocks, ['a', ...blocks.slice(295)])
    for (const block of blocks.slice(1, 290)) await sendersOf(harness, block)
    const before = harness.calls.length
    await sendersOf(harness, 'block 250')
    expect(harness.calls.length).toBe(before)
    await sendersOf(harness, 'block 10')
    expect(harness.calls.length).toBe(before + 3)
  })

  it('are empty for a block that has left the chain, and are requested again', async () => {
    const harness = createHarness(['a', 'b'], ['a', 'x'])
    expect(await sendersOf(harness, 'x')).toEqual([[]])
    await sendersOf(harness, 'x')
    expect(harness.calls).toHaveLength(2)
  })
})

describe('where the node cannot provide a whole block', () => {
  const V2 = { getVirtualChainFromBlockV2: 'The address is invalid' }

  it('requests the first sender of each transaction', async () => {
    const harness = createHarness(['a', 'b'], ['a', 'b'], V2)
    expect(await sendersOf(harness, 'b', ['p', 'q'])).toEqual([['first sender of p'], ['first sender of q']])
    expect(harness.calls.slice(1)).toEqual([
      { method: 'getBlock', request: { hash: 'b', includeTransactions: false } },
      { method: 'getUtxoReturnAddress', request: { txid: 'p', acceptingBlockDaaScore: 2n } },
      { method: 'getUtxoReturnAddress', request: { txid: 'q', acceptingBlockDaaScore: 2n } },
    ])
  })

  it('skips transactions without a sender', async () => {
    const message = 'utxo inquirer error: Transaction return address is coinbase'
    const harness = createHarness(['a', 'b'], ['a', 'b'], { ...V2, getUtxoReturnAddress: message })
    expect(await sendersOf(harness, 'b')).toEqual([[]])
    expect(await sendersOf(createHarness(['a'], [], { ...V2, getBlock: 'cannot find header a' }), 'a')).toEqual([[]])
  })
})

it('errors where the node does not respond, and can be requested again', async () => {
  const connectionLost = new ChainRpcError('getVirtualChainFromBlockV2', new Error('closed'), {
    code: 'connection-lost',
  })
  let callCount = 0
  const call = (() => {
    callCount++
    return throwError(() => connectionLost)
  }) as NodeLink['call']
  const { senders$ } = createSenders({
    call,
    chains: () => [],
    platform: createTestPlatform({ scheduler: asyncScheduler }),
  })
  await expect(lastValueFrom(senders$('a', ['p']))).rejects.toBe(connectionLost)
  await expect(lastValueFrom(senders$('a', ['p']))).rejects.toBe(connectionLost)
  expect(callCount).toBeGreaterThan(2)
})
