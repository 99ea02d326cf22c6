import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toScriptPublicKey } from '../../../src/model/address.js'
import type { Outpoint } from '../../../src/model/utxo.js'
import { candidates } from '../../../src/operations/transactions/plan/candidates.js'
import { totalOf, type Draft, type Utxo } from '../../../src/operations/transactions/plan/draft.js'
import { feeOf, type FeePolicy } from '../../../src/operations/transactions/plan/fee.js'
import { createTemplate, massesOf } from '../../../src/operations/transactions/plan/template.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import { classified } from './classified.js'

const change = toScriptPublicKey(alice.address)
const payee = toScriptPublicKey(bob.address)

const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.constant({ kind: 'minimum' as const, rate: 100 }),
  fc.record({ kind: fc.constant('rate' as const), rate: fc.double({ min: 0, max: 1000, noNaN: true }) }),
)
/** Often equal ones, and so many that not all subsets are tried; a transaction can spend all of them. */
const amounts = fc.array(fc.oneof(fc.constantFrom(KAS, 2n * KAS), fc.bigInt({ min: KAS / 50n, max: 9n * KAS })), {
  minLength: 11,
  maxLength: 40,
})

/** The candidates by their definition: each UTXO is tried as the last one. */
function expected(pool: readonly Utxo[], isEnough: (chosen: readonly Utxo[]) => boolean): Utxo[][] {
  const fewest = pool.findIndex((_, at) => isEnough(pool.slice(0, at + 1))) + 1
  const counts = fewest === 0 ? [] : [fewest]
  for (let more = 1; fewest > 0 && fewest + more < pool.length; more *= 2) counts.push(fewest + more)
  if (fewest > 0 && fewest < pool.length) counts.push(pool.length)
  const withCount = counts.flatMap((count) =>
    pool
      .slice(count - 1)
      .reverse()
      .map((last) => [...pool.slice(0, count - 1), last]),
  )
  const smallest = pool.map((_, at) => pool.slice(pool.length - 1 - at).reverse())
  return [...withCount, ...smallest].filter(isEnough)
}

const outpointsOf = (chosen: readonly Utxo[]): (Outpoint | Draft)[] =>
  chosen.map(({ from }) => ('outpoint' in from ? from.outpoint : from))

it('coin selection tries the same sets, in the same order, as if it added up each of them', () => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: KAS / 10n, max: 60n * KAS }), policy, (all, value, fee) => {
      const funds = classified(utxos(all), fee)
      const template = createTemplate([{ value, scriptPublicKey: payee }], change)
      const isEnough = (chosen: readonly Utxo[]): boolean => {
        const spent = totalOf(chosen)
        return spent.amount >= value + feeOf({ ...massesOf(template, spent, 0n), storage: 0n }, fee)
      }
      const tried = Array.from(candidates(template, funds, fee), (one) => one.compounded().utxos)
      fc.pre(funds.utxos.length > 10)
      expect(tried.map(outpointsOf)).toEqual(expected([...funds.utxos], isEnough).map(outpointsOf))
    }),
    { numRuns: 60 },
  )
})
