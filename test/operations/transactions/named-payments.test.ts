import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { TransactionOperations } from '../../../src/operations/transactions/transaction-operations.js'
import type { Transaction } from '../../../src/model/transaction.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { acceptingNode } from './accepting-node.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import { failure } from './failure.js'
import { createLedgerDependencies } from './ledger-dependencies.js'
import { createReplaceHarness } from './replace-harness.js'

let sdk: SdkPort
let operations: TransactionOperations
let accepted: Transaction[]

beforeAll(async () => {
  sdk = await loadSdk()
})

beforeEach(() => {
  const node = acceptingNode(sdk)
  operations = createTransactions(node.deps)
  accepted = node.accepted
})

const entries = utxos([5n * KAS, KAS, 3n * KAS])
const keys = { privateKeys: [alice.privateKey] }
const invalid = (argument: string) => ({ code: 'invalid-argument', argument })

describe('sweep', () => {
  it('sends everything to one address', async () => {
    const { summary } = await operations.sweep({ to: bob.address, entries, ...keys })
    expect(accepted.map(({ outputs }) => outputs)).toEqual([
      [{ value: 9n * KAS - summary.fees, scriptPublicKey: toScriptPublicKey(bob.address) }],
    ])
  })

  it.each([
    ['outputs', { outputs: [{ address: bob.address, amount: KAS }] }],
    ['changeAddress', { changeAddress: alice.address }],
    ['replaces', { replaces: undefined }],
    ['to', { to: undefined }],
    ['to', { to: 'kaspasim:qq' }],
    ['maxInputs', { maxInputs: 2 }],
  ])('rejects %s as %o', async (argument, more) => {
    const settings = { to: bob.address, entries, ...keys, ...more } as Parameters<typeof operations.sweep>[0]
    expect(await failure(operations.sweep(settings))).toMatchObject(invalid(argument))
    expect(accepted).toEqual([])
  })
})

describe('consolidate', () => {
  it('merges all UTXOs into one at changeAddress', async () => {
    await operations.consolidate({ changeAddress: alice.address, entries, ...keys })
    expect(accepted.map(({ inputs, outputs }) => [inputs.length, outputs.length])).toEqual([[3, 1]])
  })

  it('merges at most maxInputs UTXOs, the smallest first', async () => {
    const { summary } = await operations.consolidate({ changeAddress: alice.address, entries, ...keys, maxInputs: 2 })
    expect(accepted.map(({ inputs }) => inputs.length)).toEqual([2])
    expect(summary.finalAmount).toBe(4n * KAS - summary.fees)
  })

  it.each([0, 1, 2.5, '3', null])('rejects maxInputs %s', async (maxInputs) => {
    const settings = { changeAddress: alice.address, entries, ...keys, maxInputs: maxInputs as number }
    expect(await failure(operations.consolidate(settings))).toMatchObject(invalid('maxInputs'))
  })
})

describe('cancel', () => {
  it('replaces a payment in the mempool by one to changeAddress', async () => {
    const harness = createReplaceHarness()
    const { send, cancel } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { outputs, ...settings } = harness.paying(5n * KAS)
    const { transactionIds } = await send({ ...settings, outputs: outputs ?? [] })
    const cancelled = await cancel(transactionIds[0] ?? '', settings)
    expect([...harness.mempoolFees().keys()]).toEqual(cancelled.transactionIds)
    expect(cancelled.summary.finalAmount).toBe(7n * KAS - cancelled.summary.fees)
  })

  it.each([undefined, '', 'ab'])('rejects the id %s and spends nothing', async (id) => {
    const attempt = operations.cancel(id!, { changeAddress: alice.address, entries, ...keys })
    expect(await failure(attempt)).toMatchObject(invalid('id'))
    expect(accepted).toEqual([])
  })
})

describe('settings of send', () => {
  const base = { entries, changeAddress: alice.address, ...keys }

  it.each([
    ['outputs', { outputs: [] }],
    ['outputs', { outputs: undefined }],
    ['replaces', { replaces: undefined }],
    ['privatekeys', { privatekeys: [] }],
    ['signer', { signer: {} }],
  ])('with %s as %o spend nothing', async (argument, more) => {
    const settings = { ...base, ...more } as Parameters<typeof operations.send>[0]
    expect(await failure(operations.send(settings))).toMatchObject(invalid(argument))
    expect(accepted).toEqual([])
  })

  it('serve estimate and create, which ignore the keys', async () => {
    const settings = { ...base, signer: {}, outputs: [{ address: bob.address, amount: KAS }] }
    const { summary } = await operations.create(settings)
    expect(await operations.estimate(settings)).toEqual(summary)
  })
})
