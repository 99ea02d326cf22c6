import { inspect } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Call } from '../../../src/operations/queries/call.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SerializedTransaction } from '../../../src/model/serialized-transaction.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { KAS, alice, bob, carol, utxo, utxos } from './accounts.js'
import { ABSENT, hundred, large, small, acceptingNode } from './accepting-node.js'
import { droppedReplyNode } from './dropped-reply-node.js'
import { createScriptedDependencies, connectionLost, remoteRejection } from './scripted-dependencies.js'

const noReply = connectionLost('submitTransaction')

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

describe('send', () => {
  it('plans, signs, submits and returns the id', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const sent = await createTransactions(deps).send(small)
    expect(deps.calls).toEqual(['getFeeEstimate', 'getSink', 'submitTransaction'])
    expect(sent.transactionIds).toEqual(accepted.map(transactionId))
    expect(sent.summary).toEqual({
      fees: 203_600n,
      mass: 2036n,
      transactions: 1,
      finalTransactionId: sent.transactionIds[0],
      finalAmount: 10n * KAS,
    })
  })

  it('requests the sink together with the fee rates, to save a round trip', async () => {
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const { deps, accepted } = acceptingNode(sdk)
    const call: Call = async (method, request) => {
      const reply = deps.call(method, request)
      if (method === 'getFeeEstimate') await isReleased
      return reply
    }
    const sent = createTransactions({ ...deps, call }).send(small)
    await expect.poll(() => deps.calls).toEqual(['getFeeEstimate', 'getSink'])
    release()
    await sent
    expect(accepted).toHaveLength(1)
  })

  it('requests the sink after a signer has signed, which may take minutes', async () => {
    const { deps } = acceptingNode(sdk)
    let before: readonly string[] = []
    const sign = (): Promise<never> => {
      before = [...deps.calls]
      return Promise.reject(new Error('declined'))
    }
    const { privateKeys: _, ...settings } = small
    await failure(createTransactions(deps).send({ ...settings, signer: { sign } }))
    expect(before).toEqual(['getFeeEstimate'])
  })

  it('requests nothing for invalid settings', async () => {
    const { deps } = acceptingNode(sdk)
    await failure(createTransactions(deps).send({ ...small, maxFee: -1n }))
    expect(deps.calls).toEqual([])
  })

  it('submits the transactions of a plan in order', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const { transactionIds } = await createTransactions(deps).send(large)
    expect(accepted.map(transactionId)).toEqual(transactionIds)
    expect(accepted.map(({ inputs }) => inputs.length)).toEqual([88, 9])
  })

  it('rejects before any call while WASM is not ready', async () => {
    const deps = createScriptedDependencies(() => {
      throw new ChainNotReadyError('send')
    })
    expect(await failure(createTransactions(deps).send(small))).toBeInstanceOf(ChainNotReadyError)
    expect(deps.calls).toEqual([])
  })

  it.each([
    [[], 'invalid-key'],
    [[bob.privateKey], 'key-mismatch'],
  ])('sends and reserves nothing with wrong keys', async (privateKeys, code) => {
    const { deps, accepted } = acceptingNode(sdk)
    expect(await failure(createTransactions(deps).send({ ...large, privateKeys }))).toMatchObject({
      code,
      argument: 'privateKeys',
    })
    expect(accepted).toEqual([])
    expect(deps.reserved.size).toBe(0)
  })

  it('sends nothing where a key of the last transaction is missing', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const entries = [...hundred, utxo(KAS / 2n, 100, { address: carol.address })]
    const { outputs: _, ...settings } = large
    const attempt = createTransactions(deps).send({ ...settings, entries, privateKeys: [alice.privateKey] })
    expect(await failure(attempt)).toMatchObject({
      code: 'key-mismatch',
      hint: `Sign with the keys of all inputs at once, also with those of ${carol.address}.`,
    })
    expect(accepted).toEqual([])
    expect(deps.reserved.size).toBe(0)
  })
})

describe('two concurrent sends', () => {
  it('do not select the same UTXO', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const { send } = createTransactions(deps)
    const entries = utxos([20n * KAS, 30n * KAS])
    await Promise.all([send({ ...small, entries }), send({ ...small, entries })])
    const spent = accepted.flatMap(({ inputs }) => inputs.map(({ previousOutpoint }) => previousOutpoint.transactionId))
    expect(new Set(spent).size).toBe(2)
  })

  it('do not both spend the only UTXO', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const { send } = createTransactions(deps)
    const [one, other] = await Promise.all([send(small), failure(send(small))])
    expect(one.transactionIds).toHaveLength(1)
    expect(other).toMatchObject({ code: 'insufficient-funds', reserved: 30n * KAS })
    expect(accepted).toHaveLength(1)
  })
})

describe('a refusal by the node', () => {
  const refusing = (words: string) =>
    acceptingNode(sdk, { 0: remoteRejection('submitTransaction', `Rejected transaction ab: ${words}`) }, ABSENT)

  it('rejects with its reason and an unknown outcome, and keeps the UTXOs reserved', async () => {
    const { deps } = refusing('transaction ab is an orphan where orphan is disallowed')
    const [expected] = (await createTransactions(deps).create(small)).transactions
    const error = await failure(createTransactions(deps).send(small))
    expect(error).toBeInstanceOf(ChainRpcError)
    expect(error).toMatchObject({
      message: 'RPC method "submitTransaction" failed',
      method: 'submitTransaction',
      code: 'remote',
      reason: 'orphan',
      outcome: 'unknown',
      transactionId: expected?.id,
      hint: 'This node lacks one of its inputs: it may be behind, the UTXO may be spent, or the chain has the transaction. The network may have the transaction: follow transactionId, or submit the same signed transaction again. Never plan a new payment in its place.',
      cause: new Error('Rejected transaction ab: transaction ab is an orphan where orphan is disallowed'),
    })
    expect(deps.reserved.size).toBe(1)
    expect(deps.rejections.get(expected?.id ?? '')).toMatchObject({ reason: 'orphan' })
  })

  it('carries the signed payments, which restore() takes, where no log and no copy has them', async () => {
    const { deps, accepted } = refusing('transaction could not be added to the mempool')
    const error = await failure(createTransactions(deps).send(small))
    if (!(error instanceof ChainError)) throw error
    expect(Object.keys(error)).not.toContain('payments')
    expect(JSON.stringify(error)).not.toContain('signatureScript')
    expect(inspect(error)).not.toContain('signatureScript')
    const [payment] = error.payments ?? []
    deps.releaseAll() // as a new page
    const restored = await createTransactions(deps).restore(payment!)
    expect(await restored.submit()).toBe(error.transactionId)
    expect(accepted.map(transactionId)).toEqual([error.transactionId])
  })

  it.each(['is already in the mempool', 'was already accepted by the consensus'])(
    'rejects as a duplicate where the network already has a new plan: the transaction %s',
    async (words) => {
      const { deps } = refusing(`transaction ab ${words}`)
      const { create, send } = createTransactions(deps)
      const [expected] = (await create(small)).transactions
      expect(await failure(send(small))).toMatchObject({
        reason: 'duplicate',
        outcome: 'unknown',
        transactionId: expected?.id,
        hint: 'The network already has this payment: it was made once, by this call or by another tab, device or process. Do not pay again; follow transactionId.',
      })
      expect(deps.reserved.size).toBe(1)
    },
  )

  it('rejects as a duplicate where this engine has made the same payment, which the node has lost since', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const { send } = createTransactions(deps)
    const { transactionIds } = await send(small)
    deps.releaseAll() // as after a minute without a sign of it
    expect(await failure(send(small))).toMatchObject({
      reason: 'duplicate',
      outcome: 'unknown',
      transactionId: transactionIds[0],
    })
    expect(accepted.map(transactionId)).toEqual([transactionIds[0], transactionIds[0]]) // the node may have lost it
    expect(deps.rejections.size).toBe(0)
  })

  it('rejects as a duplicate where this engine has restored and made the same payment', async () => {
    const stored: SerializedTransaction[] = []
    const onSigned = (payments: readonly SerializedTransaction[]) => void stored.push(...payments)
    await createTransactions(acceptingNode(sdk).deps).send(small, { onSigned })
    const { deps } = acceptingNode(sdk, {}, ABSENT) // a node that loses what it takes
    const { restore, send } = createTransactions(deps)
    const restored = await restore(stored[0]!)
    expect(await restored.submit()).toBe(restored.id)
    deps.releaseAll() // as after ten minutes without a sign of it
    expect(await failure(send(small))).toMatchObject({ reason: 'duplicate', transactionId: restored.id })
    expect(await restored.submit()).toBe(restored.id)
  })

  it('rejects as a duplicate after the same payment with an unknown outcome, which may be followed', async () => {
    const { deps } = acceptingNode(sdk, { 0: remoteRejection('submitTransaction', 'Rejected transaction ab: full') })
    const { send } = createTransactions(deps)
    const first = await failure(send(small))
    deps.releaseAll() // as after a minute without a sign of it
    expect(await failure(send(small))).toMatchObject({
      reason: 'duplicate',
      outcome: 'unknown',
      transactionId: (first as ChainError).transactionId,
    })
  })

  it('resolves once where the replies of two equal plans are lost', async () => {
    const { deps } = droppedReplyNode(sdk, ['mempool'], { 0: noReply, 1: noReply })
    const { create } = createTransactions(deps)
    const plans = [await create(small), await create(small)].map(({ transactions: [transaction] }) => transaction!)
    for (const plan of plans) plan.sign(small.privateKeys)
    const results = await Promise.allSettled(plans.map((plan) => plan.submit()))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(results[1]).toMatchObject({ reason: { reason: 'duplicate', transactionId: plans[0]!.id } })
  })

  it('rejects with the id where the transaction is in the orphan pool', async () => {
    const { deps } = refusing('transaction ab is already in the orphan pool')
    const [expected] = (await createTransactions(deps).create(small)).transactions
    expect(await failure(createTransactions(deps).send(small))).toMatchObject({
      reason: 'duplicate',
      outcome: 'unknown',
      transactionId: expected?.id,
    })
    expect(deps.reserved.size).toBe(1)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['insufficient funds', () => createTransactions(acceptingNode(sdk).deps).send({ ...small, entries: [] })],
    ['wrong keys', () => createTransactions(acceptingNode(sdk).deps).send({ ...small, privateKeys: [bob.privateKey] })],
    ['no connection', () => createTransactions(createScriptedDependencies(sdk)).send(small)],
    [
      'an abort',
      () => createTransactions(acceptingNode(sdk).deps).send(small, { signal: AbortSignal.abort('changed my mind') }),
    ],
  ])('is distinguished from %s, after which nothing was sent', async (_, send) => {
    expect(await failure(send())).toMatchObject({ outcome: 'unsent' })
  })
})

describe('submit of a pending transaction', () => {
  it('sends once for calls at once, and for one that finds it in the mempool', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const { transactions } = await createTransactions(deps).create(small)
    const [pending] = transactions
    pending?.sign(small.privateKeys)
    expect(deps.reserved.size).toBe(0)
    expect(await Promise.all([pending?.submit(), pending?.submit()])).toEqual([pending?.id, pending?.id])
    expect(await pending?.submit()).toBe(pending?.id)
    expect(accepted).toHaveLength(1)
    expect(deps.reserved.size).toBe(1)
  })

  it('sends the same bytes again after a refusal', async () => {
    const refusal = remoteRejection('submitTransaction', 'Rejected transaction ab: unknown reason')
    const { deps, accepted } = acceptingNode(sdk, { 0: refusal }, ABSENT)
    const { transactions } = await createTransactions(deps).create(small)
    transactions[0]?.sign(small.privateKeys)
    expect(await failure(transactions[0]?.submit() ?? Promise.resolve())).toMatchObject({ reason: 'other' })
    expect(deps.reserved.size).toBe(1)
    expect(await transactions[0]?.submit()).toBe(transactions[0]?.id)
    expect([accepted.length, transactions[0]?.known]).toEqual([1, 'new'])
  })

  it('rejects with not-connected and reserves nothing', async () => {
    const deps = createScriptedDependencies(sdk)
    const { transactions } = await createTransactions(deps).create(small)
    transactions[0]?.sign(small.privateKeys)
    expect(await failure(transactions[0]?.submit() ?? Promise.resolve())).toMatchObject({
      code: 'not-connected',
      outcome: 'unsent',
      transactionId: transactions[0]?.id,
    })
    expect(deps.reserved.size).toBe(0)
  })
})

describe('secrets', () => {
  it('do not appear in results and errors', async () => {
    const { deps } = acceptingNode(sdk, { 0: connectionLost('submitTransaction') })
    const { create, send } = createTransactions(deps)
    const { transactions, summary } = await create(small)
    transactions[0]?.sign(small.privateKeys)
    const error = await failure(send(small))
    const output = JSON.stringify(
      [transactions, summary, transactions[0]?.serialize(), error, String(error)],
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    )
    expect(output).not.toContain(alice.privateKey)
  })
})
