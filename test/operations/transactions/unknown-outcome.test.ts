import { beforeAll, describe, expect, it } from 'vitest'
import { isPartiallySubmitted } from '../../../src/errors/payment-errors.js'
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
      outcome: 'unknown',
      hint: 'The network may have the transaction: follow transactionId, or submit the same signed transaction again. Never plan a new payment in its place.',
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
    expect([sent.length, deps.reserved.size, lookupsOf(deps)]).toEqual([1, 1, 6])
    expect(await pending.submit()).toBe(pending.id)
    expect(lookupsOf(deps)).toBe(7)
  })

  it('is still looked up after an attempt without a connection', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: unconnected })
    const { pending } = await submitWithUnknownOutcome(deps)
    expect(await failure(pending.submit())).toMatchObject({
      code: 'not-connected',
      outcome: 'unknown',
      transactionId: pending.id,
    })
    expect(deps.reserved.size).toBe(1)
    await pending.submit()
    expect(lookupsOf(deps)).toBe(7)
  })

  it('stays unknown where the node reports an orphan and its chain cannot be read', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: orphan })
    const call: Call = async (method, request) =>
      method === 'getVirtualChainFromBlock' ? connectionLost(method)() : deps.call(method, request)
    const { pending } = await submitWithUnknownOutcome({ ...deps, call })
    expect(await failure(pending.submit())).toMatchObject({
      reason: 'orphan',
      outcome: 'unknown',
      transactionId: pending.id,
    })
    expect(deps.reserved.size).toBe(1)
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
    expect(await failure(pending.submit())).toMatchObject({
      reason: 'orphan',
      outcome: 'unknown',
      transactionId: pending.id,
    })
    expect(deps.reserved.size).toBe(1)
  })

  it('stays unknown where the node reports an orphan and a lookup does not find it: its UTXO stays reserved', async () => {
    const { deps } = droppedReplyNode(sdk, ['nowhere'], { 0: noReply, 1: orphan })
    const { pending } = await submitWithUnknownOutcome(deps)
    const error = await failure(pending.submit())
    expect(error).toMatchObject({ reason: 'orphan', outcome: 'unknown', transactionId: pending.id })
    expect(deps.reserved.size).toBe(1)
    expect(deps.rejections.get(pending.id)).toMatchObject({ reason: 'orphan' })
  })
})

describe('a plan with a transaction of unknown outcome', () => {
  it('rejects with PartiallySubmittedError and the transaction id', async () => {
    const { deps, sent } = droppedReplyNode(sdk, ['nowhere'], { 1: noReply })
    const error = await failure(createTransactions(deps).send(large))
    if (!isPartiallySubmitted(error)) throw error
    expect(error).toMatchObject({
      outcome: 'unknown',
      transactionId: sent.map(transactionId)[1],
      hint: 'Call resume(), which looks up what may have been sent before it submits anything. Never plan a new payment in its place.',
      payments: [{ id: error.submitted[0] }, { id: error.unsubmitted[0] }],
    })
    expect(error.cause).toMatchObject({ transactionId: sent.map(transactionId)[1] })
  })

  it('stops at a first transaction that the network already has: another tab or process has made this plan', async () => {
    const { deps } = droppedReplyNode(sdk, ['mempool'], { 0: duplicate })
    const error = await failure(createTransactions(deps).send(large))
    if (!isPartiallySubmitted(error)) throw error
    expect(error.cause).toMatchObject({ reason: 'duplicate', outcome: 'unknown', transactionId: error.unsubmitted[0] })
    expect(error.outcome).toBe('unknown')
  })
})
