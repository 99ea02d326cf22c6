import type * as Sdk from '#sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import { computeMass, minimumFee } from '../../../src/model/mass.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { TransactionOperations } from '../../../src/operations/transactions/transaction-operations.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, utxo, utxos } from './accounts.js'
import { signaturesVerify } from './verify.js'
import { createScriptedDependencies } from './scripted-dependencies.js'
import type { RecordSettings } from './record-settings.js'

let sdk: typeof Sdk
let ours: TransactionOperations

beforeAll(async () => {
  sdk = await import('#sdk')
  await sdk.default()
  ours = createTransactions(createScriptedDependencies(await loadSdk()))
})

const settings = (entries: readonly UtxoEntry[], amount: bigint, more: object = {}): RecordSettings => ({
  entries,
  outputs: [{ address: bob.address, amount }],
  changeAddress: alice.address,
  ...more,
})

/** The first transaction of the SDK's builder for our settings. */
async function bySdk(given: RecordSettings): Promise<Sdk.PendingTransaction> {
  const generator = new sdk.Generator({ priorityFee: 0n, networkId: 'simnet', ...given } as ConstructorParameters<
    typeof sdk.Generator
  >[0])
  const made: unknown[] = []
  for (let next: unknown = await generator.next(); next; next = await generator.next()) made.push(next)
  const [first] = made
  if (first instanceof sdk.PendingTransaction) return first
  throw new Error('The SDK created no transaction')
}

/** A transaction of the SDK in our model. */
function seen(pending: Sdk.PendingTransaction, entries: readonly UtxoEntry[]) {
  const { transaction } = pending
  const inputs = (transaction.inputs as Sdk.TransactionInput[]).map((input) => ({
    previousOutpoint: { transactionId: input.previousOutpoint.transactionId, index: input.previousOutpoint.index },
    signatureScript: String(input.signatureScript ?? ''),
    sequence: input.sequence,
    sigOpCount: input.sigOpCount,
  }))
  const outputs = (transaction.outputs as Sdk.TransactionOutput[]).map(({ value, scriptPublicKey }) => ({
    value,
    scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.script },
  }))
  const { version, lockTime, gas, subnetworkId, payload } = transaction
  const spent = inputs.map(
    ({ previousOutpoint }) =>
      entries.find(({ outpoint }) => outpoint.transactionId === previousOutpoint.transactionId) ?? utxo(1n),
  )
  return {
    transaction: toTransaction({
      version,
      inputs,
      outputs,
      lockTime,
      gas,
      subnetworkId: String(subnetworkId),
      payload: String(payload),
      mass: 0n,
    }),
    spent,
  }
}

const simple = settings(utxos([100n * KAS]), 10n * KAS)

describe('the builder of SDK 0.15.2', () => {
  it('ignores feeRate; ours pays it', async () => {
    expect(await bySdk({ ...simple, feeRate: 1000 })).toMatchObject({ feeAmount: (await bySdk(simple)).feeAmount })
    expect(await ours.estimate({ ...simple, feeRate: 1000 })).toMatchObject({ fees: 2_036_000n })
  })

  it('pays a default fee below the relay minimum of 2.x; ours pays the minimum', async () => {
    const pending = await bySdk(simple)
    pending.sign([alice.privateKey])
    const { transaction } = seen(pending, simple.entries)
    expect(pending.feeAmount).toBeLessThan(minimumFee(transaction))
    expect(minimumFee(transaction)).toBe((await ours.estimate(simple)).fees)
  })

  it('pays 1 sompi per gram for compound transactions, whatever the priority fee; ours pays the minimum', async () => {
    const many = settings(utxos(Array.from({ length: 100 }, () => KAS)), 95n * KAS, { priorityFee: KAS })
    const batch = await bySdk(many)
    expect(batch.feeAmount).toBe(99_302n)
    const [first] = followPlan(many.entries, await ours.create({ ...many, maxFee: 2n * KAS }))
    expect(first?.fee).toBe(9_889_000n)
  })

  it('adds storage mass to compute mass on simnet; nodes and ours take the greater', async () => {
    const small = settings(utxos([5n * KAS]), KAS / 5n)
    const { mass } = await ours.estimate(small)
    expect((await bySdk(small)).mass).toBeGreaterThan(mass + 2000n)
  })

  it('stops at 100,000 grams, so that 0.1 KAS cannot be paid; ours uses the limit of nodes', async () => {
    const small = settings(utxos([100n * KAS]), KAS / 10n)
    await expect(bySdk(small)).rejects.toBe('Storage mass exceeds maximum')
    expect(await ours.estimate(small)).toMatchObject({ mass: 100_000n })
  })

  it('spends immature coinbase outputs; ours skips them', async () => {
    const immature = settings([utxo(100n * KAS, 0, { isCoinbase: true, blockDaaScore: 1500n })], 10n * KAS)
    expect((await bySdk(immature)).transaction.inputs).toHaveLength(1)
    await expect(ours.create(immature)).rejects.toMatchObject({ code: 'insufficient-funds', immature: 100n * KAS })
  })

  it('does not sign the payload, so that no node since 0.16 accepts it; ours does', async () => {
    const carrying = { ...simple, payload: 'c0ffee' }
    const pending = await bySdk(carrying)
    pending.sign([alice.privateKey])
    const theirs = seen(pending, carrying.entries)
    expect(signaturesVerify(theirs.transaction, theirs.spent)).toEqual([false])
    const { transactions } = await ours.create(carrying)
    transactions[0]?.sign([alice.privateKey])
    expect(transactions.map((each) => signaturesVerify(toTransaction(each.serialize()), carrying.entries))).toEqual([
      [true],
    ])
  })

  it('cannot sign ECDSA inputs; ours can', async () => {
    const ecdsa = settings(utxos([100n * KAS], { address: alice.ecdsaAddress }), 10n * KAS)
    const pending = await bySdk(ecdsa)
    expect(() => pending.sign([alice.privateKey])).toThrow('partially signed')
    const { transactions } = await ours.create(ecdsa)
    transactions[0]?.sign([alice.privateKey])
    expect(transactions.map((each) => signaturesVerify(toTransaction(each.serialize()), ecdsa.entries))).toEqual([
      [true],
    ])
  })

  it('counts the signature twice in the mass of a signed transaction; ours does not', async () => {
    const pending = await bySdk(simple)
    pending.sign([alice.privateKey])
    const { transaction } = seen(pending, simple.entries)
    expect(sdk.calculateTransactionMass('mainnet', pending.transaction)).toBe(computeMass(transaction) + 66n)
    const [built] = (await ours.create(simple)).transactions
    const before = built?.mass
    built?.sign([alice.privateKey])
    expect([before, built?.mass]).toEqual([2036n, 2036n])
  })

  it('sets sequence i on input i, a relative lock time; ours sets none', async () => {
    const entries = utxos([2n * KAS, 3n * KAS, 4n * KAS])
    const outputs = [{ address: bob.address, amount: 8n * KAS }]
    const address = new sdk.Address(alice.address)
    const theirs = sdk.createTransaction(
      entries.map((entry) => ({ ...entry, address })),
      outputs,
      0n,
      '',
      1,
    )
    expect((theirs.inputs as Sdk.TransactionInput[]).map(({ sequence }) => sequence)).toEqual([0n, 1n, 2n])
    const { transactions } = await ours.create({ entries, outputs, changeAddress: alice.address })
    const sequences = transactions[0]?.serialize().inputs.map(({ sequence }) => BigInt(sequence) >> 63n)
    expect(sequences).toEqual([1n, 1n, 1n]) // bit 63 disables the lock
  })
})
