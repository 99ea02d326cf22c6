import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { isInsufficientFunds } from '../../../src/errors/insufficient-funds.js'
import { isOutputTooSmall } from '../../../src/errors/output-too-small.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { createTransactions, type TransactionOperations } from '../../../src/operations/transactions/transactions.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { sum } from './checked-plan.js'
import { NOW, ask, createLedgerWorld } from './ledger-world.js'
import { KAS, alice, bob, carol, scriptAddress } from './people.js'

/** A network in memory with coins of all kinds, and payments on it. */
interface Bench {
  readonly ledger: Ledger
  readonly entries: readonly UtxoEntry[]
  readonly operations: TransactionOperations
  /** Goes back to the start: nothing is paid, nothing is held. */
  readonly reset: () => void
}

/** Amounts from dust to fortunes, many at the edges of storage mass. */
const AMOUNTS = [
  200_000n,
  1_999_000n,
  2_100_000n,
  9_999_999n,
  ...[20n, 100n, 300n, 1700n, 4000n, 15_000n, 40_000n].map((hundredths) => (hundredths * KAS) / 100n),
]

async function openBench(): Promise<Bench> {
  const addresses = [alice.address, alice.address, alice.address, alice.ecdsaAddress, scriptAddress]
  const genesisCoins = Array.from({ length: 900 }, (_, at) => ({
    address: addresses[at % addresses.length] ?? alice.address,
    amount: (AMOUNTS[at % AMOUNTS.length] ?? KAS) + BigInt(at),
  }))
  const ledger = createLedger({ genesisCoins })
  const rewards = (amounts: readonly bigint[]) => amounts.map((amount) => ({ address: alice.address, amount }))
  ledger.fund(rewards(AMOUNTS), { now: NOW, as: 'coinbase' })
  ledger.mine({ now: NOW, count: 1000 })
  ledger.fund(rewards(AMOUNTS), { now: NOW, as: 'coinbase' })
  const { entries } = ask(ledger, 'getUtxosByAddresses', { addresses: [...new Set(addresses)] })
  const world = createLedgerWorld(ledger, await loadSdk())
  const start = ledger.snapshot()
  const reset = (): void => {
    ledger.revert(start)
    world.forget()
  }
  return { ledger, entries, operations: createTransactions(world), reset }
}

const fee = fc.oneof(
  fc.constant({}),
  fc.record({ priorityFee: fc.bigInt({ min: 0n, max: KAS }) }),
  fc.record({ feeRate: fc.double({ min: 0, max: 2000, noNaN: true }) }),
)

/** How many coins a payment may choose from: few mostly, for each signature takes its time. */
const size = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 6, arbitrary: fc.integer({ min: 9, max: 40 }) },
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
  { entries }: Bench,
  { size: count, offset, share, parts, recipient, payload, fee: chosen }: Case,
): CreateTransactionSettings {
  const some = Array.from({ length: count }, (_, at) => entries[(offset + at * 7) % entries.length]).filter(
    (entry) => entry !== undefined,
  )
  const there = sum(some.filter(({ address }) => address !== scriptAddress).map(({ amount }) => amount))
  const whole = sum(parts) * 100n
  const outputs = parts.map((part) => ({ address: recipient, amount: (part * there * share) / whole + 1n }))
  return { entries: some, outputs, changeAddress: alice.address, payload, ...chosen }
}

describe('what create yields, signed,', () => {
  let bench: Bench

  beforeAll(async () => {
    bench = await openBench()
  }, 60_000)

  it('is accepted, every transaction of a thousand random payments', { timeout: 300_000 }, async () => {
    let accepted = 0
    const pay = async (given: Case): Promise<void> => {
      const settings = toSettings(bench, given)
      const { transactions, summary } = await bench.operations.create(settings)
      for (const transaction of transactions) transaction.sign([alice.privateKey])
      for (const transaction of transactions) expect(await transaction.submit()).toBe(transaction.id)
      const fees = transactions.map(
        ({ id }) =>
          ask(bench.ledger, 'getMempoolEntry', {
            transactionId: id,
            includeOrphanPool: false,
            filterTransactionPool: false,
          }).mempoolEntry.fee,
      )
      expect(sum(fees)).toBe(summary.fees)
      accepted++
    }
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        await pay(given).catch((error: unknown) => {
          if (!isInsufficientFunds(error) && !isOutputTooSmall(error)) throw error
        })
        bench.reset()
      }),
      { numRuns: 2000, endOnFailure: true },
    )
    expect(accepted).toBeGreaterThan(1000)
  })

  it(
    'takes the place of what waits, whatever either pays, or is told why it cannot',
    { timeout: 300_000 },
    async () => {
      let replaced = 0
      const { send } = bench.operations
      const asAlice = (given: Case) => ({ ...toSettings(bench, given), privateKeys: [alice.privateKey] })
      const replace = async (first: Case, second: Case): Promise<void> => {
        const { summary } = await send(asAlice(first))
        if (summary.transactions > 1) return // the first of several makes the coins of the next
        const entries = [...toSettings(bench, first).entries, ...toSettings(bench, second).entries]
        const { transactionIds } = await send({ ...asAlice(second), entries, replaces: summary.finalTransactionId })
        const { mempoolEntries } = ask(bench.ledger, 'getMempoolEntries', {
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
          bench.reset()
        }),
        { numRuns: 800, endOnFailure: true },
      )
      expect(replaced).toBeGreaterThan(90)
    },
  )
})
