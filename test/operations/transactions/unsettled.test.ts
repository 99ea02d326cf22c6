import { beforeAll, describe, expect, it } from 'vitest'
import { isInterrupted } from '../../../src/errors/interrupted.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Call } from '../../../src/operations/queries/call.js'
import type { PendingTx } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { forgetfulNode } from './forgetful-node.js'
import { large, small } from './taking-node.js'
import { losing, refusing, type Script, type ScriptedWorld } from './world.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const lost = losing('submitTransaction')
const duplicate = refusing('submitTransaction', 'Rejected transaction ab: transaction ab is already in the mempool')
const orphan = refusing(
  'submitTransaction',
  'Rejected transaction ab: transaction ab is an orphan where it is disallowed',
)
const unconnected = (): never => {
  throw new ChainRpcError('submitTransaction', new Error('No connection'), { code: 'not-connected' })
}

/** A payment that was sent, whose answer was lost, and that five looks did not find. */
async function unsettled(world: ScriptedWorld): Promise<{ pending: PendingTx; error: unknown }> {
  const [pending] = (await createTransactions(world).create(small)).transactions
  if (pending === undefined) throw new Error('there is one')
  pending.sign(small.privateKeys)
  return { pending, error: await failure(pending.submit()) }
}

const looksIn = ({ calls }: ScriptedWorld): number => calls.filter((method) => method === 'getMempoolEntry').length

describe('a payment that may have arrived', () => {
  it('names its transaction, so that it can be followed before anybody pays anew', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'])
    const { pending, error } = await unsettled(world)
    expect(error).toMatchObject({
      code: 'connection-lost',
      transactionId: pending.id,
      hint: 'The network may have it all the same: follow it by its transactionId before you pay anew.',
    })
  })

  it('has arrived where the node then calls it a duplicate', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'], { 0: lost, 1: duplicate })
    const { pending } = await unsettled(world)
    expect(await pending.submit()).toBe(pending.id)
    expect(world.held.size).toBe(1)
  })

  it('cannot be called off: it is looked for, its coin stays held, and it is not sent again', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere'])
    const { pending } = await unsettled(world)
    const error = await failure(pending.submit({ signal: AbortSignal.abort('changed my mind') }))
    expect(error).toMatchObject({ code: 'cancelled', cause: 'changed my mind', transactionId: pending.id })
    expect([sent.length, world.held.size, looksIn(world)]).toEqual([1, 1, 10])
    expect(await pending.submit()).toBe(pending.id)
    expect(looksIn(world)).toBe(15)
  })

  it('is still looked for after an attempt for which there was no connection', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'], { 0: lost, 1: unconnected })
    const { pending } = await unsettled(world)
    expect(await failure(pending.submit())).toMatchObject({ code: 'not-connected', transactionId: pending.id })
    expect(world.held.size).toBe(1)
    await pending.submit()
    expect(looksIn(world)).toBe(15)
  })

  it('may have been accepted where the node calls it an orphan and does not tell its chain', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'], { 0: lost, 1: orphan })
    const call: Call = async (method, request) =>
      method === 'getVirtualChainFromBlock' ? losing(method)() : world.call(method, request)
    const { pending } = await unsettled({ ...world, call })
    expect(await failure(pending.submit())).toMatchObject({ reason: 'orphan', transactionId: pending.id })
    expect([world.held.size, world.rejections.size]).toEqual([1, 0])
  })

  it('may have been accepted where the node calls it an orphan and the chain is longer than one look reads', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'], { 0: lost, 1: orphan })
    let blocks = 0
    const endless: Script = {
      getVirtualChainFromBlock: () => ({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [`block ${++blocks}`],
        acceptedTransactionIds: [],
      }),
    }
    const call: Call = async (method, request) => endless[method]?.(request) ?? world.call(method, request)
    const { pending } = await unsettled({ ...world, call })
    expect(await failure(pending.submit())).toMatchObject({ reason: 'orphan', transactionId: pending.id })
    expect([world.held.size, world.rejections.size]).toEqual([1, 0])
  })

  it('has not arrived where the node refuses it and the chain has it nowhere: its coin is free', async () => {
    const { world } = forgetfulNode(sdk, ['nowhere'], { 0: lost, 1: orphan })
    const { pending } = await unsettled(world)
    const error = await failure(pending.submit())
    expect(error).toMatchObject({ reason: 'orphan', transactionId: undefined })
    expect(world.held.size).toBe(0)
    expect(world.rejections).toEqual(new Map([[pending.id, error]]))
  })
})

describe('a plan of which one transaction may have arrived', () => {
  it('says so, rather than that nothing was paid', async () => {
    const { world, sent } = forgetfulNode(sdk, ['nowhere'], { 1: lost })
    const error = await failure(createTransactions(world).send(large))
    if (!isInterrupted(error)) throw error
    expect(error.hint).toBe(
      'Call resume(): it looks for the transaction whose answer was lost before it sends anything.',
    )
    expect(error.cause).toMatchObject({ transactionId: sent.map(transactionId)[1] })
  })

  it('goes on past one that the node has already', async () => {
    const { world, sent } = forgetfulNode(sdk, ['mempool'], { 0: duplicate })
    const error = await failure(createTransactions(world).send(large))
    if (!isInterrupted(error)) throw error
    const ids = await error.resume()
    expect(sent.map(transactionId)).toEqual(ids)
  })
})
