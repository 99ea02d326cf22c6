import { describe, expect, it } from 'vitest'
import { changesOf, mapChanged } from '../../../src/model/changes.js'
import { reduceBalances, type TokenBalance } from '../../../src/model/tokens/amounts.js'
import { ownersByFields } from '../../../src/model/tokens/owner.js'
import type { TokenOutput } from '../../../src/model/tokens/token-program.js'
import { owned } from '../../contract-calls/token-rows.js'
import { ALICE, BOB, CAROL } from '../../contract-calls/transaction.js'

const ID = '11'.repeat(32)
const OWNERS = ownersByFields([ALICE.address, BOB.address])

const output = (amount: number, { party = ALICE, kind = '00', depth = 0 } = {}): TokenOutput => ({
  outpoint: { transactionId: String(amount), index: 0 },
  value: 5n,
  state: { ...owned(BigInt(amount), party), extension_commitment: kind.repeat(32) },
  depth,
})

const [A, B, C, D] = [output(1), output(2, { party: BOB }), output(4, { party: CAROL }), output(8, { kind: '22' })]
const OWN = output(16, { depth: 1 })

/** Lists of outputs, one after the other. */
const STEPS: readonly (readonly TokenOutput[])[] = [
  [A, B, C, D],
  [A, C, D],
  [A, C, D, OWN, B],
  [B, D, A], // another order
  [D],
  [],
  [OWN],
  [output(16)],
]

describe('the balances of owners', () => {
  it('are those of all outputs, after each change', () => {
    let balances: readonly TokenBalance[] = []
    for (const [at, outputs] of STEPS.entries()) {
      balances = reduceBalances(balances, ID, changesOf(STEPS[at - 1] ?? [], outputs), OWNERS)
      const counted = reduceBalances([], ID, { removed: [], added: outputs }, OWNERS)
      expect(new Set(balances)).toEqual(new Set(counted))
    }
    expect(balances).toEqual([
      { covenantId: ID, extensionCommitment: '00'.repeat(32), amount: 16n, pending: 0n, lockedKas: 5n, outputs: 1 },
    ])
  })

  it('count what is the same in two lists once, and keep what was made of it', () => {
    expect(changesOf([A, B, C], [A, C, D])).toEqual({ removed: [B], added: [D] })
    const made = [A, B, C].map((one) => ({ one }))
    const next = mapChanged([A, B, C], made, [A, C, D], (one) => ({ one }))
    expect(next).toEqual([{ one: A }, { one: C }, { one: D }])
    expect([next[0] === made[0], next[1] === made[2]]).toEqual([true, true])
  })
})
