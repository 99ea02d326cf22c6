import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { isInsufficientFunds, isOutputTooSmall } from '../../../src/errors/payment-errors.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { TransactionOperations } from '../../../src/operations/transactions/transaction-operations.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { sum } from './checked-plan.js'
import { NOW, queryLedger, createLedgerDependencies } from './ledger-dependencies.js'
import { KAS, alice, bob, carol, scriptAddress } from './accounts.js'
import type { RecordSettings } from './record-settings.js'
import { runs } from '../../full.js'
import { LIMIT } from '../../limits.js'

/** A ledger with UTXOs of all kinds, and payment operations on it. */
interface Fixture {
  readonly ledger: Ledger
  readonly entries: readonly UtxoEntry[]
  readonly operations: TransactionOperations
  /** Restores the initial state without payments and reservations. */
  readonly reset: () => void
}

/** Amounts from dust to large sums, many at the limits of storage mass. */
const AMOUNTS = [
  200_000n,
  1_999_000n,
  2_100_000n,
  9_999_999n,
  ...[20n, 100n, 300n, 1700n, 4000n, 15_000n, 40_000n].map((hundredths) => (hundredths * KAS) / 100n),
]

async function createFixture(): Promise<Fixture> {
  const addresses = [alice.address, alice.address, alice.address, alice.ecdsaAddress, scriptAddress]
  const genesisUtxos = Array.from({ length: 900 }, (_, at) => ({
    address: addresses[at % addresses.length] ?? alice.address,
    amount: (AMOUNTS[at % AMOUNTS.length] ?? KAS) + BigInt(at),
  }))
  const ledger = createLedger({ genesisUtxos })
  const rewards = (amounts: readonly bigint[]) => amounts.map((amount) => ({ address: alice.address, amount }))
  ledger.fund(rewards(AMOUNTS), { now: NOW, as: 'coinbase' })
  ledger.mine({ now: NOW, count: 1000 })
  ledger.fund(rewards(AMOUNTS), { now: NOW, as: 'coinbase' })
  const { entries } = queryLedger(ledger, 'getUtxosByAddresses', { addresses: [...new Set(addresses)] })
  const deps = createLedgerDependencies(ledger, await loadSdk())
  const start = ledger.snapshot()
  let operations = createTransactions(deps)
  const reset = (): void => {
    ledger.revert(start)
    deps.releaseAll()
    operations = createTransactions(deps) // else equal plans of two cases are one payment that is made twice
  }
  return {
    ledger,
    entries,
    get operations() {
      return operations
    },
    reset,
  }
}

const fee = fc.oneof(
  fc.constant({}),
  fc.record({ priorityFee: fc.bigInt({ min: 0n, max: KAS }) }),
  fc.record({ feeRate: fc.double({ min: 0, max: 2000, noNaN: true }) }),
)

/** Number of entries of a payment: mostly few, because signatures are slow. */
const size = fc.oneof(
  { weight: 240, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 24, arbitrary: fc.integer({ min: 9, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 500 }) },
)

const cases = fc.record({
  size,
  offset: fc.nat(),
  share: fc.bigInt({ min: 1n, max: 99n }),
  parts: fc.array(fc.bigInt({ min: 1n, max: 20n }), { maxLength: 10 }),
  recipient: fc.constantFrom(bob.address, carol.ecdsaAddress, scriptAddress),
  payload: fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }).map((bytes) => 'ab'.repeat(bytes)) },
  ),
  fee,
})

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never

function toSettings(
  { entries }: Fixture,
  { size: count, offset, share, parts, recipient, payload, fee: chosen }: Case,
): RecordSettings {
  const selected = Array.from({ length: count }, (_, at) => entries[(offset + at * 7) % entries.length]).filter(
    (entry) => entry !== undefined,
  )
  const available = sum(selected.filter(({ address }) => address !== scriptAddress).map(({ amount }) => amount))
  const totalParts = sum(parts) * 100n
  const outputs = parts.map((part) => ({ address: recipient, amount: (part * available * share) / totalParts + 1n }))
  const settings = { entries: selected, changeAddress: alice.address, payload, maxFee: MAX_SOMPI, ...chosen }
  return outputs.length > 0 ? { ...settings, outputs } : settings
}

describe('created and signed transactions', () => {
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await createFixture()
  })

  it('are accepted, for random payments', { timeout: runs(LIMIT) }, async () => {
    let accepted = 0
    const pay = async (payment: Case): Promise<void> => {
      const settings = toSettings(fixture, payment)
      const { transactions, summary } = await fixture.operations.create(settings)
      for (const transaction of transactions) transaction.sign([alice.privateKey])
      for (const transaction of transactions) expect(await transaction.submit()).toBe(transaction.id)
      const fees = transactions.map(
        ({ id }) =>
          queryLedger(fixture.ledger, 'getMempoolEntry', {
            transactionId: id,
            includeOrphanPool: false,
            filterTransactionPool: false,
          }).mempoolEntry.fee,
      )
      expect(sum(fees)).toBe(summary.fees)
      accepted++
    }
    await fc.assert(
      fc.asyncProperty(cases, async (payment) => {
        await pay(payment).catch((error: unknown) => {
          if (!isInsufficientFunds(error) && !isOutputTooSmall(error)) throw error
        })
        fixture.reset()
      }),
      { numRuns: runs(80, 20_000), endOnFailure: true },
    )
    expect(accepted).toBeGreaterThan(runs(40, 10_000))
  })

  it('replace a mempool transaction, or are rejected with a reason', { timeout: runs(LIMIT) }, async () => {
    let replaced = 0
    const asAlice = (payment: Case) => ({ ...toSettings(fixture, payment), privateKeys: [alice.privateKey] })
    const replace = async (first: Case, second: Case): Promise<void> => {
      const { send } = fixture.operations
      const { summary } = await send(asAlice(first))
      if (summary.transactions > 1) return // only single transactions are replaced
      const entries = [...toSettings(fixture, first).entries, ...toSettings(fixture, second).entries]
      const { transactionIds } = await send({ ...asAlice(second), entries, replaces: summary.finalTransactionId })
      const { mempoolEntries } = queryLedger(fixture.ledger, 'getMempoolEntries', {
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      expect(mempoolEntries.map(({ transaction }) => transaction.verboseData?.transactionId)).toEqual(transactionIds)
      replaced++
    }
    await fc.assert(
      fc.asyncProperty(cases, cases, async (first, second) => {
        await replace(first, second).catch((error: unknown) => {
          const isRateTooLow = error instanceof ChainError && error.argument === 'feeRate'
          if (!isInsufficientFunds(error) && !isOutputTooSmall(error) && !isRateTooLow) throw error
        })
        fixture.reset()
      }),
      { numRuns: runs(40, 8_000), endOnFailure: true },
    )
    expect(replaced).toBeGreaterThan(runs(4, 800))
  })
})
