import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { isFeeTooHigh, isInsufficientFunds, isOutputTooSmall } from '../../../src/errors/payment-errors.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { CreatedTransactions } from '../../../src/operations/transactions/transaction-operations.js'
import { followPlan, sum, type SeenTransaction } from './checked-plan.js'
import { KAS, alice, bob, carol, utxo, scriptAddress } from './accounts.js'
import { createScriptedDependencies } from './scripted-dependencies.js'
import type { RecordSettings } from './record-settings.js'
import { runs } from '../../full.js'
import { LIMIT } from '../../limits.js'

/** Planning never uses the SDK. */
const withoutSdk = createScriptedDependencies(() => {
  throw new ChainNotReadyError('test')
})
const { create, estimate } = createTransactions(withoutSdk)

const RATE_ABOVE = 0.01
const INPUT_MASS = 1118

/** Amounts of all sizes: dust, limits of storage mass, common and large sums. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 300_000n }),
  fc.bigInt({ min: 1_500_000n, max: 30_000_000n }),
  fc.bigInt({ min: KAS / 10n, max: 100n * KAS }),
  fc.bigInt({ min: 100n * KAS, max: 1_000_000n * KAS }),
)

const entry = fc.record({
  amount,
  address: fc.constantFrom(alice.address, alice.address, alice.address, alice.ecdsaAddress, scriptAddress),
  age: fc.bigInt({ min: 0n, max: 2000n }),
  isCoinbase: fc.boolean(),
  isBound: fc.integer({ min: 0, max: 9 }).map((random) => random === 0),
})

const entries = (most: number): fc.Arbitrary<UtxoEntry[]> =>
  fc.array(entry, { minLength: 1, maxLength: most, size: 'max' }).map((all) =>
    all.map(({ amount: value, address, age, isCoinbase, isBound }, number) =>
      utxo(value, number, {
        address,
        blockDaaScore: 2000n - age,
        isCoinbase,
        covenantId: isBound ? 'cc'.repeat(32) : undefined,
      }),
    ),
  )

/** Without `maxFee` the default applies. */
const maxFee = fc.oneof(fc.constant({}), fc.record({ maxFee: fc.bigInt({ min: 0n, max: 5n * KAS }) }))

const fee = fc.oneof(
  fc.constant({}),
  fc.record({ priorityFee: fc.bigInt({ min: 0n, max: 3n * KAS }) }),
  fc.record({
    feeRate: fc.oneof(fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 50, max: 5000, noNaN: true })),
  }),
)

/** Recipients of any amounts, or of shares of the spendable amount. */
const recipients = fc.oneof(
  fc.record({ share: fc.constant(undefined), parts: fc.array(amount, { maxLength: 10 }) }),
  fc.record({
    share: fc.bigInt({ min: 1n, max: 101n }),
    parts: fc.array(fc.bigInt({ min: 1n, max: 50n }), { maxLength: 10 }),
  }),
)

const settings = (most: number): fc.Arbitrary<RecordSettings> =>
  fc
    .record({
      entries: entries(most),
      recipients,
      recipient: fc.constantFrom(bob.address, carol.ecdsaAddress, scriptAddress),
      changeAddress: fc.constantFrom(alice.address, alice.ecdsaAddress, scriptAddress),
      fee,
      maxFee,
      spendBound: fc.constantFrom(undefined, false, true, true),
      payload: fc.oneof(
        fc.constant(''),
        fc.integer({ min: 1, max: 4000 }).map((bytes) => 'ab'.repeat(bytes)),
      ),
    })
    .map(({ recipients: { share, parts }, recipient, fee: chosen, maxFee: bound, ...others }) => {
      const available = sum(others.entries.filter(isSpendable(others)).map((each) => each.amount))
      const totalParts = sum(parts)
      const amounts =
        share === undefined ? parts : parts.map((part) => (part * available * share) / (totalParts * 100n) + 1n)
      const outputs = amounts.map((each) => ({ address: recipient, amount: each }))
      return { ...others, ...chosen, ...bound, ...(outputs.length > 0 && { outputs }) }
    })

/** Whether an entry is spendable at the scripted node's score of 2000. */
const isSpendable =
  ({ spendBound = false }: Pick<RecordSettings, 'spendBound'>) =>
  ({ address, isCoinbase, blockDaaScore, covenantId }: UtxoEntry): boolean =>
    address !== scriptAddress && (covenantId === undefined || spendBound) && (!isCoinbase || blockDaaScore <= 1000n)

/** The plan, or the expected error; rethrows any other error. */
async function attempt(given: RecordSettings): Promise<CreatedTransactions | ChainError> {
  try {
    return await create(given)
  } catch (error) {
    if (isInsufficientFunds(error) || isOutputTooSmall(error) || isFeeTooHigh(error)) return error
    throw error
  }
}

const outcomeOf = (result: CreatedTransactions | ChainError): string | string[] =>
  result instanceof ChainError ? result.message : result.transactions.map(({ id }) => id)

const paidBy = ({ outputs = [] }: RecordSettings): bigint => sum(outputs.map((output) => output.amount))

/** The bound of the fees of a plan, by the documented rule. */
function boundOf({ maxFee: given }: RecordSettings, seen: readonly SeenTransaction[]): bigint {
  const byMass = 1000n * sum(seen.map(({ mass }) => mass))
  return given ?? (byMass > KAS ? byMass : KAS)
}

/** A plan without bound exceeds the bound; where none is possible, the least fee of one input does. */
async function expectTooHigh(given: RecordSettings, error: ChainError): Promise<void> {
  const unbounded = await attempt({ ...given, maxFee: MAX_SOMPI })
  if (!isFeeTooHigh(error)) throw error
  expect(error.fee).toBeGreaterThan(error.maxFee)
  if (unbounded instanceof ChainError) return
  const seen = followPlan(given.entries.filter(isSpendable(given)), unbounded)
  expect([error.fee, error.maxFee]).toEqual([sum(seen.map((each) => each.fee)), boundOf(given, seen)])
}

function expectFee(given: RecordSettings, seen: readonly SeenTransaction[]): void {
  const feeRate = given.feeRate === undefined ? undefined : Number(given.feeRate)
  expect(sum(seen.map((each) => each.fee))).toBeLessThanOrEqual(boundOf(given, seen))
  for (const [index, { fee: paid, mass, relay }] of seen.entries()) {
    const isFinal = index === seen.length - 1
    const minimum = Number(100n * relay)
    const due = Math.max(minimum, (feeRate ?? 0) * Number(mass)) + Number(isFinal ? (given.priorityFee ?? 0n) : 0n)
    const rate = Math.max(100, feeRate ?? 0)
    expect(Number(paid)).toBeGreaterThanOrEqual(due)
    if (given.feeRate !== undefined)
      expect(Number(paid)).toBeLessThanOrEqual(Math.max(due * (1 + RATE_ABOVE), due + INPUT_MASS * rate + 1))
    else expect(Number(paid)).toBeLessThanOrEqual(due + 2_250_000)
  }
}

function expectPaid(given: RecordSettings, { transactions, summary }: CreatedTransactions): void {
  const final = transactions.at(-1)?.serialize().outputs ?? []
  const recipients = given.outputs ?? []
  expect(final.slice(0, recipients.length).map(({ value }) => BigInt(value))).toEqual(
    recipients.map((output) => output.amount),
  )
  expect(final.length - recipients.length).toBeLessThanOrEqual(1)
  expect(summary.finalAmount).toBe(recipients.length > 0 ? paidBy(given) : BigInt(final[0]?.value ?? 0))
  expect(transactions.at(-1)?.serialize().payload).toBe(given.payload ?? '')
}

describe.each([
  ['a few UTXOs', 12, runs(150, 16_000)],
  ['many UTXOs', 500, runs(30, 4_000)],
])('a plan from %s', (_, most, numRuns) => {
  it(
    'preserves amounts, limits and the requested fee, or is rejected with a reason',
    { timeout: runs(LIMIT) },
    async () => {
      let plans = 0
      await fc.assert(
        fc.asyncProperty(settings(most), async (given) => {
          const result = await attempt(given)
          if (isInsufficientFunds(result)) {
            expect(result.required).toBeGreaterThan(result.spendable)
            return
          }
          if (isFeeTooHigh(result)) return expectTooHigh(given, result)
          if (result instanceof ChainError) return
          plans++
          const seen = followPlan(given.entries.filter(isSpendable(given)), result)
          expectFee(given, seen)
          expectPaid(given, result)
          expect(await estimate(given)).toEqual(result.summary)
        }),
        { numRuns, endOnFailure: true },
      )
      expect(plans).toBeGreaterThan(numRuns / 4)
    },
  )

  it('does not depend on the order of the entries', { timeout: runs(LIMIT) }, async () => {
    await fc.assert(
      fc.asyncProperty(settings(most), fc.infiniteStream(fc.integer()), async (given, random) => {
        const keyed = given.entries.map((each) => [random.next().value ?? 0, each] as const)
        const shuffled = keyed.sort(([a], [b]) => a - b).map(([, each]) => each)
        const [one, other] = [await attempt(given), await attempt({ ...given, entries: shuffled })]
        expect(outcomeOf(other)).toEqual(outcomeOf(one))
      }),
      { numRuns: numRuns / 5, endOnFailure: true },
    )
  })
})
