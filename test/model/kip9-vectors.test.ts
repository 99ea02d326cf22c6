import { expect, it } from 'vitest'
import { storageMassOf, storageTotals, type StoredOutput } from '../../src/model/mass.js'

/*
 * The storage mass test cases of rusty-kaspa (consensus/core/src/mass/mod.rs): amounts in sompi, and the plurality of a
 * script where it is not 1.
 */

const KAS = 100_000_000n
const C = 10n ** 12n

/** An amount with plurality 1, or an amount and its plurality. */
type Cell = bigint | readonly [amount: bigint, plurality: number]

/** An output has 63 bytes besides its script. */
const toStored = (cell: Cell): StoredOutput => {
  const [amount, plurality] = typeof cell === 'bigint' ? [cell, 1] : cell
  return { amount, scriptPublicKey: { version: 0, script: '01'.repeat(100 * (plurality - 1)) } }
}

const massOf = (inputs: readonly Cell[], outputs: readonly Cell[]): bigint =>
  storageMassOf(storageTotals(outputs.map(toStored)), storageTotals(inputs.map(toStored)))

const BASE = 10_000n * KAS
const THREE = [BASE, BASE, 2n * BASE]

it.each<[string, Cell[], Cell[], bigint]>([
  ['three into two equal outputs', [100n, 200n, 300n], [300n, 300n], 0n],
  ['three into two unequal outputs', [100n, 200n, 300n], [50n, 550n], C / 50n + C / 550n - 3n * (C / 200n)],
  ['inputs too large to offset any mass', THREE, [BASE, BASE, BASE, BASE], 4n],
  ['one small output among large ones', THREE, [10n * KAS, BASE, BASE, BASE], 1003n],
  ['outputs large enough to have no mass', [BASE + 4n, ...THREE.slice(1)], Array<bigint>(4).fill(BASE + 1n), 0n],
  ['two into two, harmonic', [100n, 200n], [50n, 250n], 9_000_000_000n],
  ['two into the same two', [100n, 200n], [100n, 200n], 0n],
  ['two into one', [100n, 200n], [50n], 5_000_000_000n],
])('the storage mass equals the node’s: %s', (_, inputs, outputs, mass) => {
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
    'an output of plurality 3, 4 to 6',
    [350n * KAS, 500n * KAS, 350n * KAS, 500n * KAS],
    [200n * KAS, 200n * KAS, 400n * KAS, 250n * KAS, 250n * KAS, 250n * KAS],
    [350n * KAS, 500n * KAS, 350n * KAS, 500n * KAS],
    [200n * KAS, 200n * KAS, 400n * KAS, [750n * KAS, 3]],
  ],
])('a large script has the mass of as many small ones: %s', (_, ins, outs, largeIns, largeOuts) => {
  expect(massOf(largeIns, largeOuts)).toBe(massOf(ins, outs))
  expect(massOf(ins, outs)).toBeGreaterThan(0n)
})

it.each([
  [0, 1n],
  [37, 1n],
  [38, 2n],
])('a script of %i bytes has plurality %i', (bytes, plurality) => {
  expect(storageTotals([{ amount: 1n, scriptPublicKey: { version: 0, script: '01'.repeat(bytes) } }]).plurality).toBe(
    plurality,
  )
})
