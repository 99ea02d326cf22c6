import type * as Sdk from '#sdk'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInsufficientFunds } from '../../../src/errors/payment-errors.js'
import { toAddress, toScriptPublicKey } from '../../../src/model/address.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { PendingTx } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import { createScriptedDependencies } from './scripted-dependencies.js'
import { runs } from '../../full.js'

/** The compared fields of a transaction from `Generator` of the official SDK 0.15.2. */
interface SdkPending {
  readonly id: string
  readonly mass: bigint
  readonly feeAmount: bigint
}

let sdk: typeof Sdk

beforeAll(async () => {
  sdk = await import('#sdk')
  await sdk.default()
})

/** Mainnet: the only network on which SDK 0.15.2 and current nodes agree on storage mass. */
const deps = {
  ...createScriptedDependencies(() => {
    throw new Error('planning used the SDK')
  }),
  network: () => 'mainnet' as const,
}
const operations = createTransactions({
  ...deps,
  signedAmounts: { get: () => undefined, set: () => undefined },
})
/** With sequences 0, as those of the SDK. */
const create: typeof operations.create = (settings) => operations.create({ ...settings, commitAmounts: false })
const onMainnet = (address = ''): string => toAddress(toScriptPublicKey(address), 'kaspa') ?? address
const utxosOnMainnet = (amounts: readonly bigint[]): UtxoEntry[] =>
  utxos(amounts, { address: onMainnet(alice.address) })

/** All transactions of the SDK's builder for the same settings; it spends entries in order. */
async function bySdk(entries: readonly UtxoEntry[], settings: object): Promise<SdkPending[]> {
  const generator = new sdk.Generator({
    entries: entries.map((entry) => ({ ...entry })),
    changeAddress: onMainnet(alice.address),
    networkId: 'mainnet',
    ...settings,
  } as ConstructorParameters<typeof sdk.Generator>[0])
  const made: SdkPending[] = []
  for (
    let next = (await generator.next()) as SdkPending | undefined;
    next;
    next = (await generator.next()) as SdkPending | undefined
  ) {
    made.push(next)
  }
  return made
}

/** The entries that a transaction of ours spends, in the order of its inputs. */
const spentBy = (pending: PendingTx, entries: readonly UtxoEntry[]): UtxoEntry[] =>
  pending.serialize().inputs.map(({ previousOutpoint: { transactionId: id } }) => {
    const entry = entries.find(({ outpoint }) => outpoint.transactionId === id)
    if (entry === undefined) throw new Error('the transaction spends an unknown entry')
    return entry
  })

/** From 0.2 KAS on, so that the SDK's limit of 100,000 grams does not apply. */
const amount = fc.oneof(
  fc.bigInt({ min: KAS / 5n, max: 100n * KAS }),
  fc.bigInt({ min: 100n * KAS, max: 100_000n * KAS }),
)

const cases = fc.record({
  amounts: fc.array(amount, { minLength: 1, maxLength: 30 }),
  outputs: fc.array(fc.record({ address: fc.constant(onMainnet(bob.address)), amount }), {
    minLength: 1,
    maxLength: 4,
  }),
})

describe('our builder and the SDK’s', () => {
  it('create the same transaction wherever the SDK charges for the final mass', async () => {
    const tally = { same: 0, otherMass: 0, neither: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async ({ amounts, outputs }) => {
        const entries = utxosOnMainnet(amounts)
        const ours = await create({ entries, outputs, changeAddress: onMainnet(alice.address) }).catch(
          (error: unknown) => error,
        )
        if (isInsufficientFunds(ours)) {
          await expect(bySdk(entries, { outputs, priorityFee: 0n })).rejects.toBe('Insufficient funds')
          tally.neither++
          return
        }
        const [pending] = (ours as Awaited<ReturnType<typeof create>>).transactions
        if (pending === undefined || pending.mass > 100_000n) return
        const [theirs, ...more] = await bySdk(spentBy(pending, entries), {
          outputs,
          priorityFee: pending.fee - pending.mass,
        })
        expect(more).toEqual([])
        if (theirs !== undefined && theirs.feeAmount !== theirs.mass + pending.fee - pending.mass) {
          tally.otherMass++ // of the change before the fee
          return
        }
        tally.same++
        expect(theirs).toMatchObject({ id: pending.id, mass: pending.mass, feeAmount: pending.fee })
      }),
      { numRuns: runs(400, 8_000), endOnFailure: true },
    )
    expect(tally.same).toBeGreaterThan(runs(250, 5_000))
    expect(tally.otherMass).toBeLessThan(tally.same / 20)
  })

  it.each([2, 17, 87, 88])('compute the same mass for a sweep of %s UTXOs', async (count) => {
    const entries = utxosOnMainnet(Array.from({ length: count }, (_, at) => KAS + BigInt(at)))
    const { summary } = await create({ entries, changeAddress: onMainnet(alice.address) })
    expect(await bySdk(entries, {})).toMatchObject([{ mass: summary.mass }])
  })

  it.each([89, 100, 176, 300, 500])(
    'split a sweep of %s UTXOs, ours with no more transactions and mass',
    async (count) => {
      const entries = utxosOnMainnet(Array.from({ length: count }, (_, at) => KAS + BigInt(at)))
      const { summary } = await create({ entries, changeAddress: onMainnet(alice.address) })
      const theirs = await bySdk(entries, {})
      expect(summary.transactions).toBeLessThanOrEqual(theirs.length)
      expect(summary.mass).toBeLessThanOrEqual(theirs.reduce((sum, { mass }) => sum + mass, 0n))
    },
  )

  it('agree on id and mass of all our transactions, compound transactions included', async () => {
    const plans = fc.record({
      amounts: fc.array(amount, { minLength: 1, maxLength: 200, size: 'max' }),
      share: fc.bigInt({ min: 1n, max: 99n }),
    })
    await fc.assert(
      fc.asyncProperty(plans, async ({ amounts, share }) => {
        const total = amounts.reduce((sum, each) => sum + each, 0n)
        const outputs = [{ address: onMainnet(bob.address), amount: (total * share) / 100n }]
        const entries = utxosOnMainnet(amounts)
        const ours = await create({ entries, outputs, changeAddress: onMainnet(alice.address) }).catch(() => undefined)
        const unspent = new Map(entries.map((entry) => [entry.outpoint.transactionId, entry]))
        for (const pending of ours?.transactions ?? []) {
          const judged = judge(pending, unspent)
          expect(judged.id).toBe(pending.id)
          expect(judged.mass).toBe(pending.mass)
        }
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })
})

/** Id and mass of our transaction by the SDK; `unspent` are the existing UTXOs by transaction id. */
function judge(pending: PendingTx, unspent: Map<string, UtxoEntry>): { id: string; mass: bigint } {
  const { inputs, outputs, ...others } = toTransaction(pending.serialize())
  const address = onMainnet(alice.address)
  const transaction = new sdk.Transaction({
    ...others,
    inputs: inputs.map((input) => ({ ...input, utxo: { ...unspent.get(input.previousOutpoint.transactionId) } })),
    outputs: outputs.map(({ value, scriptPublicKey }) => ({
      value,
      scriptPublicKey: new sdk.ScriptPublicKey(scriptPublicKey.version, scriptPublicKey.script),
    })),
  } as ConstructorParameters<typeof sdk.Transaction>[0])
  const id = String(transaction.finalize())
  for (const [index, { value, scriptPublicKey }] of outputs.entries()) {
    unspent.set(id, {
      address,
      outpoint: { transactionId: id, index },
      amount: value,
      scriptPublicKey,
      blockDaaScore: 0n,
      isCoinbase: false,
    })
  }
  expect(id).toBe(transactionId(toTransaction(pending.serialize())))
  return { id, mass: sdk.calculateTransactionMass('mainnet', transaction) }
}
