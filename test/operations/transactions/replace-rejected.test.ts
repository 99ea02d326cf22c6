import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isInsufficientFunds } from '../../../src/errors/payment-errors.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { queryLedger, createLedgerDependencies } from './ledger-dependencies.js'
import { KAS } from './accounts.js'
import { createReplaceHarness, mempoolEntryRequest, type ReplaceHarness } from './replace-harness.js'
import { connectionLost, remoteRejection } from './scripted-dependencies.js'

let sdk: SdkPort
let harness: ReplaceHarness

beforeAll(async () => {
  sdk = await loadSdk()
})

beforeEach(() => {
  harness = createReplaceHarness()
})

describe('an invalid replacement', () => {
  it.each<[string, object, string, string]>([
    ['of a malformed id', { replaces: 'abc' }, 'replaces', '"replaces" is no transaction id'],
    [
      'of a transaction outside the mempool',
      { replaces: 'ab'.repeat(32) },
      'replaces',
      `The transaction ${'ab'.repeat(32)} is not in the mempool`,
    ],
  ])('%s is rejected, and nothing is reserved', async (_, overrides, argument, message) => {
    const deps = createLedgerDependencies(harness.ledger, sdk)
    expect(await failure(createTransactions(deps).send(harness.paying(KAS, overrides)))).toMatchObject({
      code: 'invalid-argument',
      argument,
      message,
    })
    expect(deps.reserved.size).toBe(0)
  })

  it('is rejected with the required rate', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(5n * KAS, { feeRate: 300 }))
    const attempt = send(harness.paying(5n * KAS, { feeRate: 300, replaces: transactionIds[0] }))
    expect(await failure(attempt)).toMatchObject({
      code: 'invalid-argument',
      argument: 'feeRate',
      message: '"feeRate" must be above 300 sompi per gram, which the transaction to be replaced pays',
    })
    expect([...harness.mempoolFees().keys()]).toEqual(transactionIds)
  })

  it('is rejected where a UTXO is not among the entries', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(5n * KAS))
    expect(await failure(send(harness.paying(5n * KAS, { entries: [], replaces: transactionIds[0] })))).toMatchObject({
      code: 'invalid-argument',
      argument: 'entries',
    })
  })

  it('is rejected with all sums where the UTXOs do not cover the higher fee', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(5n * KAS))
    const error = await failure(send(harness.paying(41n * KAS, { replaces: transactionIds[0] })))
    if (!isInsufficientFunds(error)) throw error
    expect(error.spendable).toBe(41n * KAS)
    expect(error.required).toBeGreaterThan(41n * KAS)
  })

  it('does not spend a covenant-bound UTXO of the other payment', async () => {
    const [free] = harness.entries
    if (free === undefined) throw new Error('no entry')
    const deps = createLedgerDependencies(harness.ledger, sdk)
    const { send } = createTransactions(deps)
    const { transactionIds } = await send(harness.paying(5n * KAS, { entries: [free] }))
    deps.releaseAll()
    const bound = [{ ...free, covenantId: 'cc'.repeat(32) }]
    expect(
      await failure(send(harness.paying(5n * KAS, { entries: bound, replaces: transactionIds[0] }))),
    ).toMatchObject({
      code: 'invalid-argument',
      argument: 'replaces',
      message: 'The transaction to be replaced spends a UTXO that is bound by a covenant',
    })
    expect([[...harness.mempoolFees().keys()], deps.reserved.size]).toEqual([transactionIds, 0])
  })

  it('is rejected where the node returns another transaction', async () => {
    const deps = createLedgerDependencies(harness.ledger, sdk)
    const [first, other] = [
      await createTransactions(deps).send(harness.paying(3n * KAS)),
      await createTransactions(deps).send(harness.paying(5n * KAS)),
    ]
    const inconsistent = createLedgerDependencies(harness.ledger, sdk, {
      getMempoolEntry: () =>
        queryLedger(harness.ledger, 'getMempoolEntry', mempoolEntryRequest(other.transactionIds[0])),
    })
    const attempt = createTransactions(inconsistent).send(
      harness.paying(3n * KAS, { replaces: first.transactionIds[0] }),
    )
    expect(await failure(attempt)).toMatchObject({ code: 'unexpected-response' })
  })
})

describe('a submitted replacement', () => {
  it('keeps its additional UTXOs reserved after a refusal, which proves nothing', async () => {
    const message =
      'Rejected transaction ab: replace by fee found more than one double spending transaction in the mempool'
    const deps = createLedgerDependencies(harness.ledger, sdk, {
      submitTransactionReplacement: remoteRejection('submitTransactionReplacement', message),
    })
    const { send } = createTransactions(deps)
    const { transactionIds } = await send(harness.paying(6n * KAS))
    expect(await failure(send(harness.paying(8n * KAS, { replaces: transactionIds[0] })))).toMatchObject({
      method: 'submitTransactionReplacement',
      reason: 'double-spend',
      outcome: 'unknown',
    })
    expect(deps.reserved.size).toBe(2)
    expect(deps.replacements.size).toBe(0)
  })

  it('is looked up where the reply is lost', async () => {
    const deps = createLedgerDependencies(harness.ledger, sdk, {
      submitTransactionReplacement: (request) => {
        queryLedger(harness.ledger, 'submitTransactionReplacement', request)
        return connectionLost('submitTransactionReplacement')()
      },
    })
    const { send } = createTransactions(deps)
    const first = await send(harness.paying(5n * KAS))
    const second = await send(harness.paying(5n * KAS, { replaces: first.transactionIds[0] }))
    expect([...harness.mempoolFees().keys()]).toEqual(second.transactionIds)
    expect(deps.replacements).toEqual(new Map([[first.transactionIds[0], second.transactionIds[0]]]))
  })
})
