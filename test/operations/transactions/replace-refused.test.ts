import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isInsufficientFunds } from '../../../src/errors/insufficient-funds.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { ask, createLedgerWorld } from './ledger-world.js'
import { KAS } from './people.js'
import { createReplaceScene, waitingEntry, type ReplaceScene } from './replace-scene.js'
import { losing, refusing } from './world.js'

let sdk: SdkPort
let scene: ReplaceScene

beforeAll(async () => {
  sdk = await loadSdk()
})

beforeEach(() => {
  scene = createReplaceScene()
})

describe('a replacement that cannot be', () => {
  it.each<[string, object, string, string]>([
    ['of no id', { replaces: 'abc' }, 'replaces', '"replaces" is no transaction id'],
    [
      'of what does not wait',
      { replaces: 'ab'.repeat(32) },
      'replaces',
      `The transaction ${'ab'.repeat(32)} does not wait in the mempool`,
    ],
  ])('%s is refused, and nothing is held', async (_, more, argument, message) => {
    const world = createLedgerWorld(scene.ledger, sdk)
    expect(await failure(createTransactions(world).send(scene.paying(KAS, more)))).toMatchObject({
      code: 'invalid-argument',
      argument,
      message,
    })
    expect(world.held.size).toBe(0)
  })

  it('is told which rate is too low', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(5n * KAS, { feeRate: 300 }))
    const attempt = send(scene.paying(5n * KAS, { feeRate: 300, replaces: transactionIds[0] }))
    expect(await failure(attempt)).toMatchObject({
      code: 'invalid-argument',
      argument: 'feeRate',
      message: '"feeRate" must be above 300 sompi per gram, which the transaction to be replaced pays',
    })
    expect([...scene.waiting().keys()]).toEqual(transactionIds)
  })

  it('is told of a coin that is not among the entries', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(5n * KAS))
    expect(await failure(send(scene.paying(5n * KAS, { entries: [], replaces: transactionIds[0] })))).toMatchObject({
      code: 'invalid-argument',
      argument: 'entries',
    })
  })

  it('is told the sums where all coins together do not outbid', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(5n * KAS))
    const error = await failure(send(scene.paying(41n * KAS, { replaces: transactionIds[0] })))
    if (!isInsufficientFunds(error)) throw error
    expect(error.spendable).toBe(41n * KAS)
    expect(error.required).toBeGreaterThan(41n * KAS)
  })

  it('spends no coin that is bound by a covenant, though the other does', async () => {
    const [free] = scene.entries
    if (free === undefined) throw new Error('there is one')
    const world = createLedgerWorld(scene.ledger, sdk)
    const { send } = createTransactions(world)
    const { transactionIds } = await send(scene.paying(5n * KAS, { entries: [free] }))
    world.forget()
    const bound = [{ ...free, covenantId: 'cc'.repeat(32) }]
    expect(await failure(send(scene.paying(5n * KAS, { entries: bound, replaces: transactionIds[0] })))).toMatchObject({
      code: 'invalid-argument',
      argument: 'replaces',
      message: 'The transaction to be replaced spends a coin that is bound by a covenant',
    })
    expect([[...scene.waiting().keys()], world.held.size]).toEqual([transactionIds, 0])
  })

  it('does not believe a node that shows another transaction', async () => {
    const world = createLedgerWorld(scene.ledger, sdk)
    const [first, other] = [
      await createTransactions(world).send(scene.paying(3n * KAS)),
      await createTransactions(world).send(scene.paying(5n * KAS)),
    ]
    const lying = createLedgerWorld(scene.ledger, sdk, {
      getMempoolEntry: () => ask(scene.ledger, 'getMempoolEntry', waitingEntry(other.transactionIds[0])),
    })
    const attempt = createTransactions(lying).send(scene.paying(3n * KAS, { replaces: first.transactionIds[0] }))
    expect(await failure(attempt)).toMatchObject({ code: 'invalid-data' })
  })
})

describe('a replacement that the node refuses', () => {
  it('gives back the coins that it took beyond those of the other, which stay with the other', async () => {
    const words =
      'Rejected transaction ab: replace by fee found more than one double spending transaction in the mempool'
    const world = createLedgerWorld(scene.ledger, sdk, {
      submitTransactionReplacement: refusing('submitTransactionReplacement', words),
    })
    const { send } = createTransactions(world)
    const { transactionIds } = await send(scene.paying(6n * KAS))
    expect(await failure(send(scene.paying(8n * KAS, { replaces: transactionIds[0] })))).toMatchObject({
      method: 'submitTransactionReplacement',
      reason: 'double-spend',
    })
    expect(world.held.size).toBe(1)
    expect(world.replacements.size).toBe(0)
  })

  it('is settled by looking for it where the answer is lost', async () => {
    const world = createLedgerWorld(scene.ledger, sdk, {
      submitTransactionReplacement: (request) => {
        ask(scene.ledger, 'submitTransactionReplacement', request)
        return losing('submitTransactionReplacement')()
      },
    })
    const { send } = createTransactions(world)
    const first = await send(scene.paying(5n * KAS))
    const second = await send(scene.paying(5n * KAS, { replaces: first.transactionIds[0] }))
    expect([...scene.waiting().keys()]).toEqual(second.transactionIds)
    expect(world.replacements).toEqual(new Map([[first.transactionIds[0], second.transactionIds[0]]]))
  })
})
