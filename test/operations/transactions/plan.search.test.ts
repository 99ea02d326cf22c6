import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { totalOf, type Coin } from '../../../src/operations/transactions/plan/draft.js'
import type { FeePolicy } from '../../../src/operations/transactions/plan/fee.js'
import { createFrame } from '../../../src/operations/transactions/plan/frame.js'
import { plan, type Order } from '../../../src/operations/transactions/plan/plan.js'
import { openPurse } from '../../../src/operations/transactions/plan/purse.js'
import { settle } from '../../../src/operations/transactions/plan/settle.js'
import { KAS, alice, bob, coins } from './people.js'

const amount = fc.oneof(fc.bigInt({ min: 300_000n, max: 30_000_000n }), fc.bigInt({ min: KAS / 10n, max: 20n * KAS }))

const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.constant({ kind: 'minimum' as const, rate: 100 }),
  fc.record({ kind: fc.constant('rate' as const), rate: fc.double({ min: 0, max: 1000, noNaN: true }) }),
)

const change = toScriptPublicKey(alice.address)

const toOrder = (values: readonly bigint[], fee: FeePolicy): Order => ({
  outputs: values.map((value) => ({ value, scriptPublicKey: toScriptPublicKey(bob.address) })),
  change,
  payload: '',
  policy: fee,
  priorityFee: 0n,
})

/** Every choice of some of these coins. */
const choices = (all: readonly Coin[]): Coin[][] =>
  Array.from({ length: 2 ** all.length - 1 }, (_, mask) => all.filter((_coin, at) => ((mask + 1) >> at) & 1))

describe('the search for coins', () => {
  it('finds a way to pay wherever one of all choices of coins is one', { timeout: 60_000 }, () => {
    const cases = fc.record({
      amounts: fc.array(amount, { minLength: 1, maxLength: 7 }),
      values: fc.array(amount, { minLength: 1, maxLength: 3 }),
      fee: policy,
    })
    fc.assert(
      fc.property(cases, ({ amounts, values, fee }) => {
        const order = toOrder(values, fee)
        const purse = openPurse(coins(amounts), { policy: fee, isMature: () => true, isReserved: () => false })
        const frame = createFrame(order.outputs, change)
        const isPossible = choices(purse.coins).some((some) => settle(frame, totalOf(some), fee).kind === 'settled')
        if (isPossible) expect(plan(order, purse).kind).toBe('planned')
      }),
      { numRuns: 2000 },
    )
  })
})
