import { beforeAll, describe, expect, it } from 'vitest'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { KAS, alice, bob, carol, coin, coins } from './people.js'
import { hundred, large, small, takingNode } from './taking-node.js'
import { createWorld, losing, refusing } from './world.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

describe('send', () => {
  it('plans, signs, submits and tells the id', async () => {
    const { world, taken } = takingNode(sdk)
    const sent = await createTransactions(world).send(small)
    expect(world.calls).toEqual(['getFeeEstimate', 'getSink', 'submitTransaction'])
    expect(sent.transactionIds).toEqual(taken.map(transactionId))
    expect(sent.summary).toEqual({
      fees: 203_600n,
      mass: 2036n,
      transactions: 1,
      finalTransactionId: sent.transactionIds[0],
      finalAmount: 10n * KAS,
    })
  })

  it('submits the transactions of a plan in order', async () => {
    const { world, taken } = takingNode(sdk)
    const { transactionIds } = await createTransactions(world).send(large)
    expect(taken.map(transactionId)).toEqual(transactionIds)
    expect(taken.map(({ inputs }) => inputs.length)).toEqual([88, 9])
  })

  it('is refused before anything else while WASM is not ready', async () => {
    const world = createWorld(() => {
      throw new ChainNotReadyError('send')
    })
    expect(await failure(createTransactions(world).send(small))).toBeInstanceOf(ChainNotReadyError)
    expect(world.calls).toEqual([])
  })

  it.each([
    [[], 'invalid-key'],
    [[bob.privateKey], 'key-mismatch'],
  ])('sends nothing and holds nothing where the keys do not fit', async (privateKeys, code) => {
    const { world, taken } = takingNode(sdk)
    expect(await failure(createTransactions(world).send({ ...large, privateKeys }))).toMatchObject({
      code,
      argument: 'privateKeys',
    })
    expect(taken).toEqual([])
    expect(world.held.size).toBe(0)
  })

  it('sends nothing of a plan of which a key is missing for the last transaction only', async () => {
    const { world, taken } = takingNode(sdk)
    const entries = [...hundred, coin(KAS / 2n, 100, { address: carol.address })]
    const attempt = createTransactions(world).send({ ...large, entries, outputs: [], privateKeys: [alice.privateKey] })
    expect(await failure(attempt)).toMatchObject({
      code: 'key-mismatch',
      hint: `Sign with the keys of ${carol.address} first.`,
    })
    expect(taken).toEqual([])
    expect(world.held.size).toBe(0)
  })
})

describe('two quick sends', () => {
  it('do not pick the same coin', async () => {
    const { world, taken } = takingNode(sdk)
    const { send } = createTransactions(world)
    const entries = coins([20n * KAS, 30n * KAS])
    await Promise.all([send({ ...small, entries }), send({ ...small, entries })])
    const spent = taken.flatMap(({ inputs }) => inputs.map(({ previousOutpoint }) => previousOutpoint.transactionId))
    expect(new Set(spent).size).toBe(2)
  })

  it('do not both spend the only coin', async () => {
    const { world, taken } = takingNode(sdk)
    const { send } = createTransactions(world)
    const [one, other] = await Promise.all([send(small), failure(send(small))])
    expect(one.transactionIds).toHaveLength(1)
    expect(other).toMatchObject({ code: 'insufficient-funds', reserved: 30n * KAS })
    expect(taken).toHaveLength(1)
  })
})

describe('a refusal', () => {
  it('rejects with its reason, and gives the coins back', async () => {
    const { world } = takingNode(sdk, {
      0: refusing(
        'submitTransaction',
        'Rejected transaction ab: transaction ab is an orphan where orphan is disallowed',
      ),
    })
    const error = await failure(createTransactions(world).send(small))
    expect(error).toBeInstanceOf(ChainRpcError)
    expect(error).toMatchObject({
      message: 'RPC method "submitTransaction" failed',
      method: 'submitTransaction',
      code: 'remote',
      reason: 'orphan',
      hint: 'One of the coins is not there, or is spent: read the entries again and build the payment anew.',
      cause: new Error('Rejected transaction ab: transaction ab is an orphan where orphan is disallowed'),
    })
    expect(world.held.size).toBe(0)
  })

  it('keeps the coins where the node has the transaction already', async () => {
    const { world } = takingNode(sdk, {
      0: refusing('submitTransaction', 'Rejected transaction ab: transaction ab is already in the mempool'),
    })
    expect(await failure(createTransactions(world).send(small))).toMatchObject({ reason: 'duplicate' })
    expect(world.held.size).toBe(1)
  })
})

describe('submit of a pending transaction', () => {
  it('sends once, however often it is asked', async () => {
    const { world, taken } = takingNode(sdk)
    const { transactions } = await createTransactions(world).create(small)
    const [pending] = transactions
    pending?.sign(small.privateKeys)
    expect(world.held.size).toBe(0)
    expect(await Promise.all([pending?.submit(), pending?.submit()])).toEqual([pending?.id, pending?.id])
    expect(await pending?.submit()).toBe(pending?.id)
    expect(taken).toHaveLength(1)
    expect(world.held.size).toBe(1)
  })

  it('sends anew after a refusal, if it is asked to', async () => {
    const { world, taken } = takingNode(sdk, { 0: refusing('submitTransaction', 'Rejected transaction ab: no room') })
    const { transactions } = await createTransactions(world).create(small)
    transactions[0]?.sign(small.privateKeys)
    expect(await failure(transactions[0]?.submit() ?? Promise.resolve())).toMatchObject({ reason: 'other' })
    expect(await transactions[0]?.submit()).toBe(transactions[0]?.id)
    expect(taken).toHaveLength(1)
  })

  it('says so where there is no connection, and holds nothing', async () => {
    const world = createWorld(sdk)
    const { transactions } = await createTransactions(world).create(small)
    transactions[0]?.sign(small.privateKeys)
    expect(await failure(transactions[0]?.submit() ?? Promise.resolve())).toMatchObject({ code: 'not-connected' })
    expect(world.held.size).toBe(0)
  })
})

describe('secrets', () => {
  it('stay out of everything that comes back', async () => {
    const { world } = takingNode(sdk, { 0: losing('submitTransaction') })
    const { create, send } = createTransactions(world)
    const { transactions, summary } = await create(small)
    transactions[0]?.sign(small.privateKeys)
    const error = await failure(send(small))
    const told = JSON.stringify(
      [transactions, summary, transactions[0]?.serialize(), error, String(error)],
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    )
    expect(told).not.toContain(alice.privateKey)
  })
})
