import { expect, it } from 'vitest'
import { storageMassOf, storageTotals, type StoredOutput } from '../../src/model/storage-mass.js'

/*
 * The cases that rusty-kaspa checks its own storage mass by (consensus/core/src/mass/mod.rs), as figures: amounts in sompi,
 * and how many places of 100 bytes a script takes where it is not one.
 */

const KAS = 100_000_000n
const C = 10n ** 12n

/** An amount under a script of one place, or an amount and its places. */
type Cell = bigint | readonly [amount: bigint, places: number]

/** Beside 63 bytes of its own an output has its script. */
const toStored = (cell: Cell): StoredOutput => {
  const [amount, places] = typeof cell === 'bigint' ? [cell, 1] : cell
  return { amount, scriptPublicKey: { version: 0, script: '01'.repeat(100 * (places - 1)) } }
}

const massOf = (inputs: readonly Cell[], outputs: readonly Cell[]): bigint =>
  storageMassOf(storageTotals(outputs.map(toStored)), storageTotals(inputs.map(toStored)))

const BASE = 10_000n * KAS
const THREE = [BASE, BASE, 2n * BASE]

it.each<[string, Cell[], Cell[], bigint]>([
  ['three into two alike', [100n, 200n, 300n], [300n, 300n], 0n],
  ['three into two unlike', [100n, 200n, 300n], [50n, 550n], C / 50n + C / 550n - 3n * (C / 200n)],
  ['inputs too large to make up for anything', THREE, [BASE, BASE, BASE, BASE], 4n],
  ['one small output among large ones', THREE, [10n * KAS, BASE, BASE, BASE], 1003n],
  [
    'outputs that are large enough to cost nothing',
    [BASE + 4n, ...THREE.slice(1)],
    Array<bigint>(4).fill(BASE + 1n),
    0n,
  ],
  ['two into two, each by its own size', [100n, 200n], [50n, 250n], 9_000_000_000n],
  ['two into the same two', [100n, 200n], [100n, 200n], 0n],
  ['two into one', [100n, 200n], [50n], 5_000_000_000n],
])('the storage mass of %s is that of the node', (_, inputs, outputs, mass) => {
  expect(massOf(inputs, outputs)).toBe(mass)
})

it.each<[string, Cell[], Cell[], Cell[], Cell[]]>([
  ['an input, 3 to 4', [300n, 200n, 200n], [200n, 200n, 200n, 100n], [300n, [400n, 2]], [200n, 200n, 200n, 100n]],
  ['an output, 2 to 3', [350n, 400n], [300n, 200n, 200n], [350n, 400n], [300n, [400n, 2]]],
  ['an output, 1 to 2', [500n], [200n, 200n], [500n], [[400n, 2]]],
  ['an output, 1 to 3', [1000n], [200n, 200n, 200n], [1000n], [200n, [400n, 2]]],
  [
    'an output, 2 to 2',
    [350n * KAS, 500n * KAS],
    [200n * KAS, 200n * KAS],
    [350n * KAS, 500n * KAS],
    [[400n * KAS, 2]],
  ],
  [
    'an output of three places, 4 to 6',
    [350n * KAS, 500n * KAS, 350n * KAS, 500n * KAS],
    [200n * KAS, 200n * KAS, 400n * KAS, 250n * KAS, 250n * KAS, 250n * KAS],
    [350n * KAS, 500n * KAS, 350n * KAS, 500n * KAS],
    [200n * KAS, 200n * KAS, 400n * KAS, [750n * KAS, 3]],
  ],
])(
  'a large script weighs as much as the small ones in whose place it stands: %s',
  (_, ins, outs, largeIns, largeOuts) => {
    expect(massOf(largeIns, largeOuts)).toBe(massOf(ins, outs))
    expect(massOf(ins, outs)).toBeGreaterThan(0n)
  },
)

it.each([
  [0, 1n],
  [37, 1n],
  [38, 2n],
])('a script of %i bytes takes %i places', (bytes, places) => {
  expect(storageTotals([{ amount: 1n, scriptPublicKey: { version: 0, script: '01'.repeat(bytes) } }]).places).toBe(
    places,
  )
})
