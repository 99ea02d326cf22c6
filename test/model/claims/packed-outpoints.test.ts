import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  arePackedOutpoints,
  countOutpoints,
  haveCommonOutpoint,
  packOutpoints,
  unpackOutpoints,
} from '../../../src/model/claims/packed-outpoints.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import { runs } from '../../full.js'

/** Ids that differ in their first or their last bytes only. */
const ids = fc
  .tuple(fc.constantFrom('00', 'ff'), fc.constantFrom('00', 'ff'))
  .map(([first, last]) => first + 'ab'.repeat(30) + last)
const outpoints = fc.array(
  fc.record({ transactionId: ids, index: fc.oneof(fc.nat({ max: 2 }), fc.constant(2 ** 32 - 1)) }),
  { minLength: 1, maxLength: 6 },
)

it('packs outpoints and unpacks them', () => {
  fc.assert(
    fc.property(outpoints, (some) => {
      const packed = packOutpoints(some)
      expect(arePackedOutpoints(packed, some.length)).toBe(true)
      expect(arePackedOutpoints(packed, some.length - 1)).toBe(false)
      expect(countOutpoints(packed)).toBe(some.length)
      expect(unpackOutpoints(packed)).toEqual(some)
    }),
    { numRuns: runs(50) },
  )
})

it('finds whether two lists have an outpoint in common', () => {
  const lists = fc.array(outpoints, { maxLength: 3 })
  fc.assert(
    fc.property(lists, lists, (some, others) => {
      const known = new Set(some.flat().map(toOutpointKey))
      const expected = others.flat().some((outpoint) => known.has(toOutpointKey(outpoint)))
      expect(haveCommonOutpoint(some.map(packOutpoints), others.map(packOutpoints))).toBe(expected)
    }),
    { numRuns: runs(200) },
  )
})
