import fc from 'fast-check'
import { expect, it } from 'vitest'
import { groupClaims, parseRecord, toRecord, parseClaim, type Claim } from '../../../src/model/claims/claim.js'
import { countOutpoints, packOutpoints, unpackOutpoints } from '../../../src/model/claims/packed-outpoints.js'
import { toHex } from '../../../src/model/hex.js'
import { runs } from '../../full.js'

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const claimOf = (id: number, outpoints: number, facts: Partial<Claim> = {}): Claim => ({
  version: 1,
  id: hex(id),
  outpoints: packOutpoints(Array.from({ length: outpoints }, (_, index) => ({ transactionId: hex(id), index }))),
  kind: 'payment',
  state: 'planned',
  owner: 'tab',
  at: 1_000,
  change: [{ index: id, value: 5n, scriptPublicKey: { version: 0, script: '20ab' } }],
  ...facts,
})
/** Compared faster than bytes. */
const toTexts = (claims: readonly Claim[]) => claims.map((claim) => ({ ...claim, outpoints: toHex(claim.outpoints) }))
const idsOf = (groups: readonly (readonly Claim[])[]): readonly (readonly number[])[] =>
  groups.map((group) => group.map(({ id }) => Number(`0x${id}`)))

it('stores the claims of a plan as one record, and reads them again', () => {
  const facts = fc.record(
    { state: fc.constantFrom('planned' as const, 'sent' as const), replaces: fc.constant(hex(99)) },
    { requiredKeys: ['state'] },
  )
  const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(facts, sizes, (shared, counts) => {
      const plan = counts.map((count, id) => claimOf(id, count, shared))
      const groups = groupClaims(plan)
      const records = groups.map((group) => structuredClone(toRecord(group)))
      const read = records.map((record) => parseRecord(record) ?? [])
      expect(read.map(toTexts)).toEqual(groups.map(toTexts))
      expect(toTexts(read.flat())).toEqual(toTexts(plan))
      const sizesOf = records.map(({ outpoints }) => countOutpoints(outpoints))
      for (const [at, size] of sizesOf.entries()) {
        expect(size).toBeLessThanOrEqual(1_500)
        const [next] = groups[at + 1] ?? []
        if (next !== undefined) expect(size + countOutpoints(next.outpoints)).toBeGreaterThan(1_500)
      }
    }),
    { numRuns: runs(50) },
  )
})

it('stores what is not of one plan in records of their own', () => {
  const sent = { state: 'sent' } as const
  const payout = { ...sent, kind: 'payout' } as const
  const claims = [claimOf(1, 1), claimOf(2, 1), claimOf(3, 1, sent), claimOf(4, 1, { ...sent, owner: 'other' })]
  const payouts = [claimOf(5, 1, payout), claimOf(6, 1, payout)]
  const replacement = claimOf(7, 1, { ...sent, replaces: hex(1) })
  expect(idsOf(groupClaims([...claims, ...payouts, replacement]))).toEqual([[1, 2], [3], [4], [5], [6], [7]])
  expect(toRecord([claims[0]!])).toBe(claims[0])
})

it('is for a release that has a record a transaction a claim of the last one with all outpoints', () => {
  const plan = [claimOf(1, 3), claimOf(2, 2)]
  const claim = parseClaim(toRecord(plan))
  expect(claim).toMatchObject({ id: hex(2), kind: 'payment', state: 'planned', owner: 'tab', change: plan[1]!.change })
  expect(unpackOutpoints(claim!.outpoints)).toEqual(plan.flatMap(({ outpoints }) => unpackOutpoints(outpoints)))
})

const record = toRecord([claimOf(1, 3), claimOf(2, 2)])
const payments = [
  { id: hex(1), outpoints: 3, change: [] },
  { id: hex(2), outpoints: 2, change: [] },
]

it('shows no change where it is damaged, and respects the payments', () => {
  const damaged = [payments[0], { ...payments[1], change: 'all' }]
  expect(parseRecord({ ...record, payments: damaged })).toEqual([
    claimOf(1, 3, { change: [] }),
    claimOf(2, 2, { change: [] }),
  ])
})

it.each<[string, unknown]>([
  ['no list', { first: payments[0] }],
  ['an empty list', []],
  ['nothing', [null, payments[1]]],
  ['an id that is none', [{ ...payments[0], id: 'x' }, payments[1]]],
  ['an id twice', [{ ...payments[0], id: hex(2) }, payments[1]]],
  ['too few outpoints', [{ ...payments[0], outpoints: 2 }, payments[1]]],
  ['too many outpoints', [payments[0], { ...payments[1], outpoints: 3 }]],
  ['no outpoints', [...payments, { id: hex(3), outpoints: 0, change: [] }]],
  [
    'half an outpoint',
    [
      { ...payments[0], outpoints: 2.5 },
      { ...payments[1], outpoints: 2.5 },
    ],
  ],
  ['another last one', [...payments].reverse()],
])('respects all outpoints of a record as those of one payment where its payments are damaged: %s', (_, damaged) => {
  expect(parseRecord({ ...record, payments: damaged })).toEqual([parseClaim(record)])
})

it('refuses a record without outpoints', () => {
  expect(parseRecord({ ...record, outpoints: new Uint8Array(0) })).toBeUndefined()
})
