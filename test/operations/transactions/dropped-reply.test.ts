import { beforeAll, describe, expect, it } from 'vitest'
import { isPartiallySubmitted } from '../../../src/errors/payment-errors.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Call } from '../../../src/operations/queries/call.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { droppedReplyNode, type Place } from './dropped-reply-node.js'
import { large, small } from './accepting-node.js'
import { connectionLost, remoteRejection, type Script, type ScriptedDependencies } from './scripted-dependencies.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

describe('a payment whose reply is lost', () => {
  it.each<[string, Place[]]>([
    ['in the mempool', ['mempool']],
    ['accepted by the chain', ['accepted']],
    ['in a block that nothing has accepted yet', ['block']],
    ['found by the third lookup only', ['nowhere', 'nowhere', 'accepted']],
  ])('resolves where the transaction is %s, and is not sent again', async (_, places) => {
    const { deps, sent } = droppedReplyNode(sdk, places)
    const { transactionIds } = await createTransactions(deps).send(small)
    expect(sent.map(transactionId)).toEqual(transactionIds)
    expect(deps.reserved.size).toBe(1)
    expect(deps.pauses.filter((ms) => ms === 1000)).toHaveLength(places.length - 1)
  })

  it('rejects after five lookups without result; its UTXO stays reserved until the reservation expires', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere'])
    expect(await failure(createTransactions(deps).send(small))).toMatchObject({
      method: 'submitTransaction',
      code: 'connection-lost',
    })
    expect(deps.calls.filter((method) => method === 'getMempoolEntry')).toHaveLength(5)
    expect(sent).toHaveLength(1)
    expect(deps.reserved.size).toBe(1)
  })

  it('is looked up five times, not counting failed lookups', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const { transactionIds } = await createTransactions(withFailingLookups(deps, 3)).send(small)
    expect(sent.map(transactionId)).toEqual(transactionIds)
  })

  it('stops looking up after eight failed lookups', async () => {
    const { deps } = droppedReplyNode(sdk, ['mempool'])
    expect(await failure(createTransactions(withFailingLookups(deps, Infinity)).send(small))).toMatchObject({
      code: 'connection-lost',
      transactionId: expect.any(String) as string,
    })
    expect(deps.pauses).toHaveLength(8)
  })

  it('stops looking up where the chain grows with every response', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'])
    expect(await failure(createTransactions(withGrowingChain(deps)).send(small))).toMatchObject({
      code: 'connection-lost',
    })
    expect(deps.pauses).toHaveLength(5)
  })

  it('is looked up before it is sent again', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere', 'nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const { transactions } = await createTransactions(deps).create(small)
    const [pending] = transactions
    pending?.sign(small.privateKeys)
    expect(await failure(pending?.submit() ?? never())).toMatchObject({ code: 'connection-lost' })
    expect(await pending?.submit()).toBe(pending?.id)
    expect(sent).toHaveLength(1)
  })

  it('is sent again by a further submit() where a lookup does not find it', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere'])
    const { transactions } = await createTransactions(deps).create(small)
    const [pending] = transactions
    pending?.sign(small.privateKeys)
    await failure(pending?.submit() ?? never())
    expect(await pending?.submit()).toBe(pending?.id)
    expect(sent.map(transactionId)).toEqual([pending?.id, pending?.id])
  })

  it('can be resumed in the middle of a plan', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere', 'nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const error = await failure(createTransactions(deps).send(large))
    if (!isPartiallySubmitted(error)) throw new Error(String(error))
    expect(error.cause).toMatchObject({ code: 'connection-lost' })
    const ids = await error.resume()
    expect(sent.map(transactionId)).toEqual(ids)
  })

  it('waits for the connection, and rejects where none is being made', async () => {
    const { deps } = droppedReplyNode(sdk, ['mempool'])
    const unconnected = { ...deps, whenConnected: connectionLost('ping') }
    expect(await failure(createTransactions(unconnected).send(small))).toMatchObject({ code: 'connection-lost' })
    expect(deps.calls).not.toContain('getMempoolEntry')
  })

  it('is found on the chain after lost getSink replies, because it is sent after a getSink reply', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['accepted'])
    const flaky = withDroppedSinkReplies(deps, 2)
    const { transactionIds } = await createTransactions(flaky).send(small)
    expect(sent.map(transactionId)).toEqual(transactionIds)
    expect(flaky.sinkCalls()).toBe(3)
  })

  it('is not sent without a getSink reply; its UTXO is released', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['accepted'])
    const flaky = withDroppedSinkReplies(deps, Infinity)
    expect(await failure(createTransactions(flaky).send(small))).toMatchObject({
      method: 'submitTransaction',
      code: 'connection-lost',
      outcome: 'unsent',
      hint: 'Nothing was sent, and its UTXOs are released.',
    })
    expect([flaky.sinkCalls(), sent.length, deps.reserved.size]).toEqual([1 + 3, 0, 0]) // one ahead of time
  })

  it('is not sent where the node rejects getSink', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['accepted'])
    const call: Call = async (method, request) =>
      method === 'getSink' ? remoteRejection(method, 'the node is busy')() : deps.call(method, request)
    expect(await failure(createTransactions({ ...deps, call }).send(small))).toMatchObject({
      method: 'submitTransaction',
      code: 'remote',
      outcome: 'unsent',
      cause: { message: 'the node is busy' },
    })
    expect([sent.length, deps.reserved.size]).toEqual([0, 0])
  })
})

/** The first mempool reads fail. */
function withFailingLookups(deps: ScriptedDependencies, failures: number): ScriptedDependencies {
  let reads = 0
  const call: Call = async (method, request) =>
    method === 'getMempoolEntry' && reads++ < failures ? connectionLost(method)() : deps.call(method, request)
  return { ...deps, call }
}

/** The first getSink replies are lost; counts the calls. */
function withDroppedSinkReplies(
  deps: ScriptedDependencies,
  dropped: number,
): ScriptedDependencies & { sinkCalls(): number } {
  let sinkCalls = 0
  const call: Call = async (method, request) =>
    method === 'getSink' && sinkCalls++ < dropped ? connectionLost(method)() : deps.call(method, request)
  return { ...deps, call, sinkCalls: () => sinkCalls }
}

/** The chain grows by a block with every read. */
function withGrowingChain(deps: ScriptedDependencies): ScriptedDependencies {
  let blocks = 0
  const responses: Script = {
    getSink: () => ({ sink: toHash(blocks) }),
    getVirtualChainFromBlock: ({ startHash }) => {
      if (++blocks > 100) throw new Error('The chain is read without end')
      const added = Array.from({ length: blocks }, (_, at) => toHash(at + 1))
      return {
        removedChainBlockHashes: [],
        addedChainBlockHashes: added.slice(added.indexOf(startHash) + 1),
        acceptedTransactionIds: [],
      }
    },
  }
  const call: Call = async (method, request) => responses[method]?.(request) ?? deps.call(method, request)
  return { ...deps, call }
}

const toHash = (index: number): string => index.toString(16).padStart(64, '0')

function never(): never {
  throw new Error('there is a transaction')
}
