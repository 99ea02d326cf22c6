import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { NOW, queryLedger, createLedgerDependencies } from './ledger-dependencies.js'
import { KAS, alice, bob, carol } from './accounts.js'
import type { Script } from './scripted-dependencies.js'
import { createReplaceHarness, mempoolEntryRequest, type ReplaceHarness } from './replace-harness.js'

let sdk: SdkPort
let harness: ReplaceHarness

beforeAll(async () => {
  sdk = await loadSdk()
})

beforeEach(() => {
  harness = createReplaceHarness()
})

describe('a replacement', () => {
  it('pays one sompi more by default, from the same UTXOs', async () => {
    const deps = createLedgerDependencies(harness.ledger, sdk)
    const { send } = createTransactions(deps)
    const first = await send(harness.paying(5n * KAS))
    const second = await send(harness.paying(5n * KAS, { replaces: first.summary.finalTransactionId }))
    expect(harness.mempoolFees()).toEqual(new Map([[second.transactionIds[0], first.summary.fees + 1n]]))
    expect(deps.replacements).toEqual(new Map([[first.transactionIds[0], second.transactionIds[0]]]))
    expect(deps.calls.at(-1)).toBe('submitTransactionReplacement')
  })

  it('pays no more where the node leaves out the signatures, which the id does not cover', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const first = await send(harness.paying(15n * KAS))
    const lie: Script = {
      getMempoolEntry: (request) => withoutSignatures(queryLedger(harness.ledger, 'getMempoolEntry', request)),
    }
    const { estimate } = createTransactions(createLedgerDependencies(harness.ledger, sdk, lie))
    const { fees } = await estimate(harness.paying(15n * KAS, { replaces: first.transactionIds[0] }))
    expect(fees).toBe(first.summary.fees + 1n)
  })

  it('pays a given rate that is higher', async () => {
    const { send, estimate } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(5n * KAS))
    const settings = harness.paying(5n * KAS, { replaces: transactionIds[0], feeRate: 250 })
    const { fees, mass } = await estimate(settings)
    expect(fees).toBe(250n * mass)
    expect((await send(settings)).summary.fees).toBe(fees)
  })

  it('may change recipient, amount and payload', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(5n * KAS))
    const outputs = [{ address: carol.address, amount: 6n * KAS }]
    await send(harness.paying(0n, { replaces: transactionIds[0], outputs, payload: 'c0ffee' }))
    harness.ledger.mine({ now: NOW, count: 2 })
    const balance = (address: string) => queryLedger(harness.ledger, 'getBalanceByAddress', { address }).balance
    expect([balance(bob.address), balance(carol.address)]).toEqual([0n, 6n * KAS])
  })

  it('without outputs cancels the payment: its UTXOs return, no other UTXO is spent', async () => {
    const { send, create } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(5n * KAS))
    const { outputs: _, ...settings } = harness.paying(0n, { replaces: transactionIds[0] })
    const { transactions } = await create(settings)
    expect(transactions.map((each) => each.serialize().inputs.length)).toEqual([1])
    await send(settings)
    harness.ledger.mine({ now: NOW, count: 2 })
    expect(queryLedger(harness.ledger, 'getBalanceByAddress', { address: bob.address }).balance).toBe(0n)
    expect(queryLedger(harness.ledger, 'getUtxosByAddresses', { addresses: [alice.address] }).entries).toHaveLength(3)
  })

  it('adds UTXOs where those of the other payment do not suffice', async () => {
    const { send, create } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const { transactionIds } = await send(harness.paying(6n * KAS))
    const [larger] = (await create(harness.paying(8n * KAS, { replaces: transactionIds[0] }))).transactions
    expect(larger?.serialize().inputs).toHaveLength(2)
    const { transactionIds: ids } = await send(harness.paying(8n * KAS, { replaces: transactionIds[0] }))
    expect([...harness.mempoolFees().keys()]).toEqual(ids)
  })

  it('can be replaced repeatedly', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    let { transactionIds } = await send(harness.paying(5n * KAS))
    for (let times = 1; times <= 5; times++) {
      const next = await send(harness.paying(5n * KAS, { replaces: transactionIds[0] }))
      expect(next.summary.fees).toBe(203_600n + BigInt(times))
      ;({ transactionIds } = next)
    }
    expect([...harness.mempoolFees().keys()]).toEqual(transactionIds)
  })

  it('pays a higher feerate on storage mass too', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const first = await send(harness.paying(5n * KAS, { feeRate: 900 }))
    const tiny = await send(harness.paying(KAS / 25n, { replaces: first.transactionIds[0] }))
    expect(tiny.summary.fees).toBeGreaterThan(900n * tiny.summary.mass)
    expect([...harness.mempoolFees().keys()]).toEqual(tiny.transactionIds)
  })

  it('replaces a payment that spends mempool outputs', async () => {
    const { send } = createTransactions(createLedgerDependencies(harness.ledger, sdk))
    const first = await send(harness.paying(20n * KAS))
    const received: UtxoEntry = {
      ...(harness.entries[0] ?? never()),
      address: bob.address,
      outpoint: { transactionId: first.transactionIds[0] ?? '', index: 0 },
      amount: 20n * KAS,
      scriptPublicKey:
        queryLedger(harness.ledger, 'getMempoolEntry', mempoolEntryRequest(first.transactionIds[0])).mempoolEntry
          .transaction.outputs[0]?.scriptPublicKey ?? never(),
    }
    const onward = { outputs: [{ address: carol.address, amount: KAS }], changeAddress: bob.address }
    const chained = await send(harness.paying(0n, { ...onward, entries: [received], privateKeys: [bob.privateKey] }))
    const again = { ...onward, entries: [], privateKeys: [bob.privateKey], replaces: chained.transactionIds[0] }
    const second = await send(harness.paying(0n, again))
    expect([...harness.mempoolFees().keys()].sort()).toEqual([...first.transactionIds, ...second.transactionIds].sort())
  })
})

/** The response with inputs that have neither scripts nor counts of signatures. */
function withoutSignatures({ mempoolEntry }: RpcResponse<'getMempoolEntry'>): RpcResponse<'getMempoolEntry'> {
  const { transaction } = mempoolEntry
  const inputs = transaction.inputs.map((input) => ({ ...input, signatureScript: '', sigOpCount: 0 }))
  return { mempoolEntry: { ...mempoolEntry, transaction: { ...transaction, inputs } } }
}

function never(): never {
  throw new Error('there is one')
}
