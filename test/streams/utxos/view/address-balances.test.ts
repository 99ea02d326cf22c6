import { describe, expect, it } from 'vitest'
import { createAddressBalances } from '../../../../src/streams/utxos/view/address-balances.js'
import { createAddressSet } from '../../../../src/streams/utxos/store/address-set.js'
import { toBalance } from '../../../../src/streams/utxos/view/state.js'
import { createOutpointHash } from '../../../../src/streams/utxos/store/outpoint-hash.js'
import { createRunningBalance } from '../../../../src/streams/utxos/view/running-balance.js'
import type { AddressEffects } from '../../../../src/streams/utxos/unconfirmed/effects.js'
import { ALICE, BOB, utxo } from '../utxo-fixtures.js'

const setOf = (address: string) => createAddressSet(address, createOutpointHash(1), () => 0)
const alice = setOf(ALICE)
const bob = setOf(BOB)
const BOTH = new Map([
  [ALICE, alice],
  [BOB, bob],
])
const NO_EFFECTS = new Map()

function createBalances() {
  const running = createRunningBalance(10n)
  const balances = createAddressBalances({
    sumsOf: running.sumsOf,
    toBalance: (sums, _, unconfirmed) => toBalance({ ...sums, unconfirmed }),
  })
  return { running, balances }
}

describe('balances by address', () => {
  it('are the same object until one changes, and the others keep theirs', () => {
    const { running, balances } = createBalances()
    running.apply({ type: 'changed', address: ALICE, removed: [], added: [utxo(1)] })
    const before = balances(BOTH, NO_EFFECTS)
    expect(before).toEqual({
      [ALICE]: toBalance({ mature: 100n, immature: 0n, unconfirmed: 0n, bound: 0n }),
      [BOB]: toBalance({ mature: 0n, immature: 0n, unconfirmed: 0n, bound: 0n }),
    })
    expect(balances(BOTH, NO_EFFECTS)).toBe(before)
    running.apply({ type: 'changed', address: BOB, removed: [], added: [utxo(2, { address: BOB, isCoinbase: true })] })
    const after = balances(BOTH, NO_EFFECTS)
    expect(after[BOB]).toEqual(toBalance({ mature: 0n, immature: 200n, unconfirmed: 0n, bound: 0n }))
    expect(after[ALICE]).toBe(before[ALICE])
    expect(before[BOB]).toEqual(toBalance({ mature: 0n, immature: 0n, unconfirmed: 0n, bound: 0n }))
  })

  it('change where an entry matures', () => {
    const { running, balances } = createBalances()
    running.apply({ type: 'changed', address: BOB, removed: [], added: [utxo(2, { address: BOB, isCoinbase: true })] })
    expect(balances(BOTH, NO_EFFECTS)[BOB]?.immature).toBe(200n)
    running.setScore(10n, () => [])
    expect(balances(BOTH, NO_EFFECTS)[BOB]).toEqual(
      toBalance({ mature: 200n, immature: 0n, unconfirmed: 0n, bound: 0n }),
    )
  })

  it('include what unconfirmed transactions pay, and are the same object while they pay as much', () => {
    const { balances } = createBalances()
    const paying = (unconfirmed: bigint): ReadonlyMap<typeof alice, AddressEffects> =>
      new Map([[alice, { spent: new Set(), unconfirmed }]])
    const before = balances(BOTH, paying(7n))
    expect(before[ALICE]?.unconfirmed).toBe(7n)
    expect(balances(BOTH, paying(7n))).toBe(before)
    expect(balances(BOTH, paying(8n))[ALICE]?.unconfirmed).toBe(8n)
    expect(balances(BOTH, NO_EFFECTS)[ALICE]?.unconfirmed).toBe(0n)
  })

  it('contain the current addresses only', () => {
    const { balances } = createBalances()
    const onlyAlice = new Map([[ALICE, alice]])
    expect(Object.keys(balances(BOTH, NO_EFFECTS))).toEqual([ALICE, BOB])
    expect(Object.keys(balances(onlyAlice, NO_EFFECTS))).toEqual([ALICE])
    expect(Object.keys(balances(new Map([[BOB, bob]]), NO_EFFECTS))).toEqual([BOB])
  })
})
