import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { totalOf, type Utxo } from '../../../src/operations/transactions/plan/draft.js'
import type { FeePolicy } from '../../../src/operations/transactions/plan/fee.js'
import { createTemplate } from '../../../src/operations/transactions/plan/template.js'
import { plan, type PlanRequest } from '../../../src/operations/transactions/plan/plan.js'
import { computeChange } from '../../../src/operations/transactions/plan/change.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import { classified } from './classified.js'

const amount = fc.oneof(fc.bigInt({ min: 300_000n, max: 30_000_000n }), fc.bigInt({ min: KAS / 10n, max: 20n * KAS }))

const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.constant({ kind: 'minimum' as const, rate: 100 }),
  fc.record({ kind: fc.constant('rate' as const), rate: fc.double({ min: 0, max: 1000, noNaN: true }) }),
)

const change = toScriptPublicKey(alice.address)

const toRequest = (values: readonly bigint[], fee: FeePolicy): PlanRequest => ({
  outputs: values.map((value) => ({ value, scriptPublicKey: toScriptPublicKey(bob.address) })),
  change,
  payload: '',
  policy: fee,
  priorityFee: 0n,
})

/** Every non-empty subset. */
const subsets = (all: readonly Utxo[]): Utxo[][] =>
  Array.from({ length: 2 ** all.length - 1 }, (_, mask) => all.filter((_utxo, at) => ((mask + 1) >> at) & 1))

describe('coin selection', () => {
  it('plans a payment wherever a subset of the UTXOs can pay', () => {
    const cases = fc.record({
      amounts: fc.array(amount, { minLength: 1, maxLength: 7 }),
      values: fc.array(amount, { minLength: 1, maxLength: 3 }),
      fee: policy,
    })
    fc.assert(
      fc.property(cases, ({ amounts, values, fee }) => {
        const request = toRequest(values, fee)
        const funds = classified(utxos(amounts), fee)
        const frame = createTemplate(request.outputs, change)
        const isPossible = subsets([...funds.utxos]).some(
          (some) => computeChange(frame, totalOf(some), fee).kind === 'covered',
        )
        if (isPossible) expect(plan(request, funds).kind).toBe('planned')
      }),
      { numRuns: 2000 },
    )
  })
})
