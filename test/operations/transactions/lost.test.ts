import { beforeAll, describe, expect, it } from 'vitest'
import { isInterrupted } from '../../../src/errors/interrupted.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Call } from '../../../src/operations/queries/call.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { forgetfulNode, type Place } from './forgetful-node.js'
import { large, small } from './taking-node.js'
import { losing, refusing, type Script, type ScriptedWorld } from './world.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

describe('a payment whose answer is lost', () => {
  it.each<[string, Place[]]>([
    ['in the mempool', ['mempool']],
    ['accepted by the chain', ['accepted']],
    ['in a block that nothing has accepted yet', ['block']],
    ['there at the third look only', ['nowhere', 'nowhere', 'accepted']],
  ])('has gone through where the transaction is %s, and is not sent again', async (_, places) => {
    const { world, sent } = forgetfulNode(sdk, places)
    const { transactionIds } = await createTransactions(world).send(small)
    expect(sent.map(transactionId)).toEqual(transactionIds)
    expect(world.held.size).toBe(1)
    expect(world.pauses.filter((ms) => ms === 1000)).toHaveLength(places.length - 1)
  })

  it('has not, where it is nowhere after five looks; its coin stays held until that lapses', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere'])
    expect(await failure(createTransactions(world).send(small))).toMatchObject({
      method: 'submitTransaction',
      code: 'connection-lost',
    })
    expect(world.calls.filter((method) => method === 'getMempoolEntry')).toHaveLength(5)
    expect(sent).toHaveLength(1)
    expect(world.held.size).toBe(1)
  })

  it('is looked for five times in full, whatever becomes of some looks', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const { transactionIds } = await createTransactions(failingLooks(world, 3)).send(small)
    expect(sent.map(transactionId)).toEqual(transactionIds)
  })

  it('is not looked for without end, where every look fails', async () => {
    const { world } = forgetfulNode(sdk, ['mempool'])
    expect(await failure(createTransactions(failingLooks(world, Infinity)).send(small))).toMatchObject({
      code: 'connection-lost',
      transactionId: expect.any(String) as string,
    })
    expect(world.pauses).toHaveLength(8)
  })

  it('is not looked for without end, where the chain grows with every answer', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'])
    expect(await failure(createTransactions(growing(world)).send(small))).toMatchObject({ code: 'connection-lost' })
    expect(world.pauses).toHaveLength(5)
  })

  it('is looked for again before it is sent again', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere', 'nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const { transactions } = await createTransactions(world).create(small)
    const [pending] = transactions
    pending?.sign(small.privateKeys)
    expect(await failure(pending?.submit() ?? never())).toMatchObject({ code: 'connection-lost' })
    expect(await pending?.submit()).toBe(pending?.id)
    expect(sent).toHaveLength(1)
  })

  it('is sent again, when asked to, where it is still nowhere', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere'])
    const { transactions } = await createTransactions(world).create(small)
    const [pending] = transactions
    pending?.sign(small.privateKeys)
    await failure(pending?.submit() ?? never())
    expect(await pending?.submit()).toBe(pending?.id)
    expect(sent.map(transactionId)).toEqual([pending?.id, pending?.id])
  })

  it('can be resumed in the middle of a plan', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere', 'nowhere', 'nowhere', 'nowhere', 'nowhere', 'mempool'])
    const error = await failure(createTransactions(world).send(large))
    if (!isInterrupted(error)) throw new Error(String(error))
    expect(error.cause).toMatchObject({ code: 'connection-lost' })
    const ids = await error.resume()
    expect(sent.map(transactionId)).toEqual(ids)
  })

  it('waits for the connection, and ends where none is to come', async () => {
    const { world } = forgetfulNode(sdk, ['mempool'])
    const forsaken = { ...world, whenConnected: losing('ping') }
    expect(await failure(createTransactions(forsaken).send(small))).toMatchObject({ code: 'connection-lost' })
    expect(world.calls).not.toContain('getMempoolEntry')
  })

  it('is found on the chain where the first answers about its head were lost, since nothing goes out before one came', async () => {
    const { world, sent } = forgetfulNode(sdk, ['accepted'])
    const asked = losingHeads(world, 2)
    const { transactionIds } = await createTransactions(asked).send(small)
    expect(sent.map(transactionId)).toEqual(transactionIds)
    expect(asked.heads()).toBe(3)
  })

  it('is not sent at all where no answer about the head comes: its coin is free again', async () => {
    const { world, sent } = forgetfulNode(sdk, ['accepted'])
    const asked = losingHeads(world, Infinity)
    expect(await failure(createTransactions(asked).send(small))).toMatchObject({
      method: 'submitTransaction',
      code: 'connection-lost',
      transactionId: undefined,
      hint: 'Nothing was sent, and its coins are free again.',
    })
    expect([asked.heads(), sent.length, world.held.size]).toEqual([3, 0, 0])
  })

  it('is not sent where the node refuses to say where its chain stands', async () => {
    const { world, sent } = forgetfulNode(sdk, ['accepted'])
    const call: Call = async (method, request) =>
      method === 'getSink' ? refusing(method, 'the node is busy')() : world.call(method, request)
    expect(await failure(createTransactions({ ...world, call }).send(small))).toMatchObject({
      method: 'submitTransaction',
      code: 'remote',
      cause: { message: 'the node is busy' },
    })
    expect([sent.length, world.held.size]).toEqual([0, 0])
  })
})

/** The same world, in which the first looks into the mempool fail. */
function failingLooks(world: ScriptedWorld, failures: number): ScriptedWorld {
  let looks = 0
  const call: Call = async (method, request) =>
    method === 'getMempoolEntry' && looks++ < failures ? losing(method)() : world.call(method, request)
  return { ...world, call }
}

/** The same world, in which the first answers about the chain's head are lost; how often it was asked for. */
function losingHeads(world: ScriptedWorld, losses: number): ScriptedWorld & { heads(): number } {
  let heads = 0
  const call: Call = async (method, request) =>
    method === 'getSink' && heads++ < losses ? losing(method)() : world.call(method, request)
  return { ...world, call, heads: () => heads }
}

/** The same world, whose chain has grown by a block whenever it is asked for what is new. */
function growing(world: ScriptedWorld): ScriptedWorld {
  let blocks = 0
  const answers: Script = {
    getSink: () => ({ sink: toHash(blocks) }),
    getVirtualChainFromBlock: ({ startHash }) => {
      if (++blocks > 100) throw new Error('It is looked for without end')
      const added = Array.from({ length: blocks }, (_, at) => toHash(at + 1))
      return {
        removedChainBlockHashes: [],
        addedChainBlockHashes: added.slice(added.indexOf(startHash) + 1),
        acceptedTransactionIds: [],
      }
    },
  }
  const call: Call = async (method, request) => answers[method]?.(request) ?? world.call(method, request)
  return { ...world, call }
}

const toHash = (number: number): string => number.toString(16).padStart(64, '0')

function never(): never {
  throw new Error('there is a transaction')
}
