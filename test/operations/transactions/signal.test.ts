import { beforeAll, describe, expect, it } from 'vitest'
import { isPartiallySubmitted } from '../../../src/errors/payment-errors.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import {
  bucket,
  createScriptedDependencies,
  connectionLost,
  remoteRejection,
  type Script,
  type ScriptedDependencies,
} from './scripted-dependencies.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const small = {
  entries: utxos([30n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
  privateKeys: [alice.privateKey],
}
const large = {
  ...small,
  entries: utxos(Array.from({ length: 100 }, () => KAS)),
  outputs: [{ address: bob.address, amount: 95n * KAS }],
}

/** A node that accepts transactions; `on` overrides its responses. */
function acceptingNode(on: Script = {}): { deps: ScriptedDependencies; accepted: Transaction[] } {
  const accepted: Transaction[] = []
  const deps = createScriptedDependencies(sdk, {
    ...on,
    submitTransaction: (request) => {
      accepted.push(request.transaction)
      return on.submitTransaction?.(request) ?? { transactionId: transactionId(request.transaction) }
    },
  })
  return { deps, accepted }
}

/** The caller aborts during the first response to a submission. */
function abortDuringSubmission() {
  const controller = new AbortController()
  const node = acceptingNode({
    submitTransaction: ({ transaction }) => {
      controller.abort('changed my mind')
      return { transactionId: transactionId(transaction) }
    },
  })
  return { controller, ...node }
}

const ABORTED = {
  code: 'aborted',
  message: 'The payment was aborted before it was sent',
  cause: 'changed my mind',
  hint: 'Unsent transactions are not submitted, and their UTXOs are released.',
}

describe('an aborted payment', () => {
  it.each(['estimate', 'create', 'send'] as const)(
    'makes no call and reserves nothing where aborted before it begins: %s',
    async (command) => {
      const { deps, accepted } = acceptingNode()
      const attempt = createTransactions(deps)[command](small, { signal: AbortSignal.abort('changed my mind') })
      expect(await failure(attempt)).toMatchObject(ABORTED)
      expect([deps.calls, accepted, deps.reserved.size]).toEqual([[], [], 0])
    },
  )

  it('passes its signal to calls', async () => {
    const { deps } = acceptingNode()
    const signals: unknown[] = []
    const call: ScriptedDependencies['call'] = (method, request, options) => {
      signals.push(options?.signal)
      return deps.call(method, request, options)
    }
    const { signal } = new AbortController()
    await createTransactions({ ...deps, call }).estimate(small, { signal })
    expect(signals).toEqual([signal])
  })

  it.each([
    ['one transaction', small],
    ['several', large],
  ])('is never sent and reserves nothing where aborted during getFeeEstimate: %s', async (_, settings) => {
    const controller = new AbortController()
    const { deps, accepted } = acceptingNode({
      getFeeEstimate: () => {
        controller.abort('changed my mind')
        return { estimate: { priorityBucket: bucket(100), normalBuckets: [], lowBuckets: [bucket(100)] } }
      },
    })
    expect(await failure(createTransactions(deps).send(settings, controller))).toMatchObject(ABORTED)
    expect([accepted, deps.reserved.size]).toEqual([[], 0])
  })

  it('resolves where aborted after it was sent', async () => {
    const { controller, deps, accepted } = abortDuringSubmission()
    const { transactionIds } = await createTransactions(deps).send(small, controller)
    expect(accepted.map(transactionId)).toEqual(transactionIds)
    expect(deps.reserved.size).toBe(1)
  })

  it('is looked up where aborted after it was sent and its reply is lost', async () => {
    const controller = new AbortController()
    const { deps, accepted } = acceptingNode({
      submitTransaction: () => {
        controller.abort('changed my mind')
        return connectionLost('submitTransaction')()
      },
      getMempoolEntry: () => ({
        mempoolEntry: {
          fee: 203_600n,
          isOrphan: false,
          transaction: accepted[0] ?? remoteRejection('getMempoolEntry', '')(),
        },
      }),
    })
    const { transactionIds } = await createTransactions(deps).send(small, controller)
    expect(accepted.map(transactionId)).toEqual(transactionIds)
  })

  it('stops between two transactions, and can be resumed', async () => {
    const { controller, deps, accepted } = abortDuringSubmission()
    const error = await failure(createTransactions(deps).send(large, controller))
    if (!isPartiallySubmitted(error)) throw error
    expect(error.cause).toMatchObject(ABORTED)
    expect([error.submitted, accepted.length, deps.reserved.size]).toEqual([accepted.map(transactionId), 1, 88])
    expect(await error.resume()).toEqual([...error.submitted, ...error.unsubmitted])
    expect(accepted).toHaveLength(2)
  })

  it('stops again where aborted during resume()', async () => {
    const { controller, deps, accepted } = abortDuringSubmission()
    const error = await failure(createTransactions(deps).send(large, controller))
    if (!isPartiallySubmitted(error)) throw error
    const again = await failure(error.resume(controller))
    if (!isPartiallySubmitted(again)) throw again
    expect(again.cause).toMatchObject(ABORTED)
    expect([again.submitted, accepted.length, deps.reserved.size]).toEqual([error.submitted, 1, 88])
  })

  it('of a pending transaction rejects, and can be submitted later', async () => {
    const { deps, accepted } = acceptingNode()
    const [pending] = (await createTransactions(deps).create(small)).transactions
    if (pending === undefined) throw new Error('no transaction')
    pending.sign(small.privateKeys)
    expect(await failure(pending.submit({ signal: AbortSignal.abort('changed my mind') }))).toMatchObject(ABORTED)
    expect([accepted, deps.reserved.size]).toEqual([[], 0])
    expect(await pending.submit()).toBe(pending.id)
  })
})
