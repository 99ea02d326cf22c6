import { beforeAll, describe, expect, it } from 'vitest'
import { isInterrupted } from '../../../src/errors/interrupted.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { KAS, alice, bob, coins } from './people.js'
import { bucket, createWorld, losing, refusing, type Script, type ScriptedWorld } from './world.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const small = {
  entries: coins([30n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
  privateKeys: [alice.privateKey],
}
const large = {
  ...small,
  entries: coins(Array.from({ length: 100 }, () => KAS)),
  outputs: [{ address: bob.address, amount: 95n * KAS }],
}

/** A node that takes transactions; `on` says what else happens when it is asked. */
function takingNode(on: Script = {}): { world: ScriptedWorld; taken: Transaction[] } {
  const taken: Transaction[] = []
  const world = createWorld(sdk, {
    ...on,
    submitTransaction: (request) => {
      taken.push(request.transaction)
      return on.submitTransaction?.(request) ?? { transactionId: transactionId(request.transaction) }
    },
  })
  return { world, taken }
}

/** A node during whose first answer to a submission the caller calls off. */
function calledOffMidway() {
  const caller = new AbortController()
  const node = takingNode({
    submitTransaction: ({ transaction }) => {
      caller.abort('changed my mind')
      return { transactionId: transactionId(transaction) }
    },
  })
  return { caller, ...node }
}

const CALLED_OFF = {
  code: 'cancelled',
  message: 'The payment was called off before it was sent',
  cause: 'changed my mind',
  hint: 'What had not gone out stays here, and its coins are free again.',
}

describe('a payment that is called off', () => {
  it.each(['estimate', 'create', 'send'] as const)(
    'before it begins asks, sends and holds nothing: %s',
    async (verb) => {
      const { world, taken } = takingNode()
      const attempt = createTransactions(world)[verb](small, { signal: AbortSignal.abort('changed my mind') })
      expect(await failure(attempt)).toMatchObject(CALLED_OFF)
      expect([world.calls, taken, world.held.size]).toEqual([[], [], 0])
    },
  )

  it('hands its signal on to whoever waits for the node', async () => {
    const { world } = takingNode()
    const signals: unknown[] = []
    const call: ScriptedWorld['call'] = (method, request, options) => {
      signals.push(options?.signal)
      return world.call(method, request, options)
    }
    const { signal } = new AbortController()
    await createTransactions({ ...world, call }).estimate(small, { signal })
    expect(signals).toEqual([signal])
  })

  it.each([
    ['one transaction', small],
    ['several', large],
  ])('while the node names its fee is never sent, and holds nothing: %s', async (_, settings) => {
    const caller = new AbortController()
    const { world, taken } = takingNode({
      getFeeEstimate: () => {
        caller.abort('changed my mind')
        return { estimate: { priorityBucket: bucket(100), normalBuckets: [], lowBuckets: [bucket(100)] } }
      },
    })
    expect(await failure(createTransactions(world).send(settings, caller))).toMatchObject(CALLED_OFF)
    expect([taken, world.held.size]).toEqual([[], 0])
  })

  it('after it went out has gone through, and says so', async () => {
    const { caller, world, taken } = calledOffMidway()
    const { transactionIds } = await createTransactions(world).send(small, caller)
    expect(taken.map(transactionId)).toEqual(transactionIds)
    expect(world.held.size).toBe(1)
  })

  it('after it went out is looked for where the answer is lost, and told as it is found', async () => {
    const caller = new AbortController()
    const { world, taken } = takingNode({
      submitTransaction: () => {
        caller.abort('changed my mind')
        return losing('submitTransaction')()
      },
      getMempoolEntry: () => ({
        mempoolEntry: { fee: 203_600n, isOrphan: false, transaction: taken[0] ?? refusing('getMempoolEntry', '')() },
      }),
    })
    const { transactionIds } = await createTransactions(world).send(small, caller)
    expect(taken.map(transactionId)).toEqual(transactionIds)
  })

  it('midway stops there, tells how far it came, and can still go on', async () => {
    const { caller, world, taken } = calledOffMidway()
    const error = await failure(createTransactions(world).send(large, caller))
    if (!isInterrupted(error)) throw error
    expect(error.cause).toMatchObject(CALLED_OFF)
    expect([error.submitted, taken.length, world.held.size]).toEqual([taken.map(transactionId), 1, 88])
    expect(await error.resume()).toEqual([...error.submitted, ...error.unsubmitted])
    expect(taken).toHaveLength(2)
  })

  it('while it is resumed stops again, and sends nothing more', async () => {
    const { caller, world, taken } = calledOffMidway()
    const error = await failure(createTransactions(world).send(large, caller))
    if (!isInterrupted(error)) throw error
    const again = await failure(error.resume(caller))
    if (!isInterrupted(again)) throw again
    expect(again.cause).toMatchObject(CALLED_OFF)
    expect([again.submitted, taken.length, world.held.size]).toEqual([error.submitted, 1, 88])
  })

  it('is told so by a pending transaction too, which then may be submitted after all', async () => {
    const { world, taken } = takingNode()
    const [pending] = (await createTransactions(world).create(small)).transactions
    if (pending === undefined) throw new Error('there is one')
    pending.sign(small.privateKeys)
    expect(await failure(pending.submit({ signal: AbortSignal.abort('changed my mind') }))).toMatchObject(CALLED_OFF)
    expect([taken, world.held.size]).toEqual([[], 0])
    expect(await pending.submit()).toBe(pending.id)
  })
})
