import { beforeAll, describe, expect, it } from 'vitest'
import { isPartiallySubmitted } from '../../../src/errors/partially-submitted.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Call } from '../../../src/operations/queries/call.js'
import type { PendingTx } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { droppedReplyNode } from './dropped-reply-node.js'
import { large, small } from './accepting-node.js'
import { connectionLost, remoteRejection, type Script, type ScriptedDependencies } from './scripted-dependencies.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const noReply = connectionLost('submitTransaction')
const duplicate = remoteRejection(
  'submitTransaction',
  'Rejected transaction ab: transaction ab is already in the mempool',
)
const orphan = remoteRejection(
  'submitTransaction',
  'Rejected transaction ab: transaction ab is an orphan where it is disallowed',
)
const unconnected = (): never => {
  throw new ChainRpcError('submitTransaction', new Error('No connection'), { code: 'not-connected' })
}

/** A sent payment whose reply was lost and that five lookups did not find. */
async function submitWithUnknownOutcome(deps: ScriptedDependencies): Promise<{ pending: PendingTx; error: unknown }> {
  const [pending] = (await createTransactions(deps).create(small)).transactions
  if (pending === undefined) throw new Error('no transaction')
  pending.sign(small.privateKeys)
  return { pending, error: await failure(pending.submit()) }
}

const lookupsOf = ({ calls }: ScriptedDependencies): number =>
  calls.filter((method) => method === 'getMempoolEntry').length

describe('a payment with an unknown outcome', () => {
  it('rejects with its transaction id', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'])
    const { pending, error } = await submitWithUnknownOutcome(deps)
    expect(error).toMatchObject({
      code: 'connection-lost',
      transactionId: pending.id,
      hint: 'The network may have the transaction: follow its transactionId before you pay again.',
    })
  })

  it('resolves where the node then reports a duplicate', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: duplicate })
    const { pending } = await submitWithUnknownOutcome(deps)
    expect(await pending.submit()).toBe(pending.id)
    expect(deps.reserved.size).toBe(1)
  })

  it('cannot be aborted: it is looked up, stays reserved and is not sent again', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere'])
    const { pending } = await submitWithUnknownOutcome(deps)
    const error = await failure(pending.submit({ signal: AbortSignal.abort('changed my mind') }))
    expect(error).toMatchObject({ code: 'aborted', cause: 'changed my mind', transactionId: pending.id })
    expect([sent.length, deps.reserved.size, lookupsOf(deps)]).toEqual([1, 1, 10])
    expect(await pending.submit()).toBe(pending.id)
    expect(lookupsOf(deps)).toBe(15)
  })

  it('is still looked up after an attempt without a connection', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: unconnected })
    const { pending } = await submitWithUnknownOutcome(deps)
    expect(await failure(pending.submit())).toMatchObject({ code: 'not-connected', transactionId: pending.id })
    expect(deps.reserved.size).toBe(1)
    await pending.submit()
    expect(lookupsOf(deps)).toBe(15)
  })

  it('stays unknown where the node reports an orphan and its chain cannot be read', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: orphan })
    const call: Call = async (method, request) =>
      method === 'getVirtualChainFromBlock' ? connectionLost(method)() : deps.call(method, request)
    const { pending } = await submitWithUnknownOutcome({ ...deps, call })
    expect(await failure(pending.submit())).toMatchObject({ reason: 'orphan', transactionId: pending.id })
    expect([deps.reserved.size, deps.rejections.size]).toEqual([1, 0])
  })

  it('stays unknown where the node reports an orphan and the chain is longer than a lookup reads', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: orphan })
    let blocks = 0
    const endlessChain: Script = {
      getVirtualChainFromBlock: () => ({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [`block ${++blocks}`],
        acceptedTransactionIds: [],
      }),
    }
    const call: Call = async (method, request) => endlessChain[method]?.(request) ?? deps.call(method, request)
    const { pending } = await submitWithUnknownOutcome({ ...deps, call })
    expect(await failure(pending.submit())).toMatchObject({ reason: 'orphan', transactionId: pending.id })
    expect([deps.reserved.size, deps.rejections.size]).toEqual([1, 0])
  })

  it('is rejected where the node rejects it and a lookup does not find it: its UTXO is released', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: orphan })
    const { pending } = await submitWithUnknownOutcome(deps)
    const error = await failure(pending.submit())
    expect(error).toMatchObject({ reason: 'orphan', transactionId: undefined })
    expect(deps.reserved.size).toBe(0)
    expect(deps.rejections).toEqual(new Map([[pending.id, error]]))
  })
})

describe('a plan with a transaction of unknown outcome', () => {
  it('rejects with PartiallySubmittedError and the transaction id', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere'], { 1: noReply })
    const error = await failure(createTransactions(deps).send(large))
    if (!isPartiallySubmitted(error)) throw error
    expect(error.hint).toBe(
      'Call resume(): it looks up the transaction whose reply was lost before it submits anything.',
    )
    expect(error.cause).toMatchObject({ transactionId: sent.map(transactionId)[1] })
  })

  it('continues after a transaction that the node already has', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['mempool'], { 0: duplicate })
    const { transactionIds } = await createTransactions(deps).send(large)
    expect(transactionIds).toEqual(sent.map(transactionId))
  })
})
