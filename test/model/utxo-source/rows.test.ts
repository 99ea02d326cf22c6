import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { ROWS_PER_STEP, markDead, noDeadRows } from '../../../src/model/utxo-columns/columns.js'
import { toEntry, toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import { createUtxoPart, createUtxoRows } from '../../../src/model/utxo-source/rows.js'
import type { UtxoPart, UtxoRows } from '../../../src/model/utxo-source/source.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'

/** Equal amounts, ids that begin equally, and several outputs of one transaction are frequent. */
const entry = fc
  .record({
    amount: fc.oneof(fc.constantFrom(1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 61n), fc.bigInt({ min: 1n, max: 2n ** 62n })),
    first: fc.constantFrom('00000000', '000000ff', 'ff000000', '80000000'),
    last: fc.constantFrom('00', '7f', '80', 'ff'),
    index: fc.constantFrom(0, 1, 2, 10, 0xffff_ffff),
  })
  .map(({ amount, first, last, index }): UtxoEntry => ({
    outpoint: { transactionId: `${first}${'0'.repeat(54)}${last}`, index },
    amount,
    scriptPublicKey: { version: 0, script: 'ac' },
    blockDaaScore: 0n,
    isCoinbase: false,
  }))

/** Distinct entries in parts, and which of them are dead. */
const parts = fc
  .uniqueArray(fc.record({ entry, part: fc.nat({ max: 3 }), isDead: fc.boolean() }), {
    selector: (one) => toOutpointKey(one.entry.outpoint),
    maxLength: 60,
    size: 'max',
  })
  .map((all) => [0, 1, 2, 3].map((part) => all.filter((one) => one.part === part)))

function toPart(rows: readonly { readonly entry: UtxoEntry; readonly isDead: boolean }[]): UtxoPart {
  const columns = toUtxoColumns(rows.map((one) => one.entry))
  if (columns === undefined) throw new Error('The entries do not fit into columns')
  const dead = noDeadRows(rows.length)
  rows.forEach(({ isDead }, row) => {
    if (isDead) markDead(dead, row)
  })
  return createUtxoPart(columns, rows.some(({ isDead }) => isDead) ? dead : null)
}

const textOf = ({ outpoint, amount }: UtxoEntry): string => `${amount} ${toOutpointKey(outpoint)}`

const textsByAmount = ({ sortByAmount, locate }: UtxoRows): string[] =>
  Array.from(finish(sortByAmount()), (number) => {
    const { columns, row } = locate(number)
    return textOf(toEntry(columns, row))
  })

/** By amount, largest first, then by the text of the outpoint. */
function compare(a: UtxoEntry, b: UtxoEntry): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
  return toOutpointKey(a.outpoint) < toOutpointKey(b.outpoint) ? -1 : 1
}

describe('rows of several columns', () => {
  it('have the order of sorted records, without dead rows, whichever part is the largest', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const live = all.flat().filter(({ isDead }) => !isDead)
        const rows = createUtxoRows(all.map(toPart))
        expect(textsByAmount(rows)).toEqual(
          live
            .map((one) => one.entry)
            .sort(compare)
            .map(textOf),
        )
        expect([rows.size, rows.count]).toEqual([live.length, all.flat().length])
      }),
      { numRuns: 60 },
    )
  })

  it('sort a part once, however many rows are put together with it', () => {
    const entries = Array.from({ length: 500 }, (_, n): UtxoEntry => ({
      outpoint: { transactionId: n.toString(16).padStart(64, '0'), index: 0 },
      amount: BigInt((n * 7919) % 500) + 1n,
      scriptPublicKey: { version: 0, script: 'ac' },
      blockDaaScore: 0n,
      isCoinbase: false,
    }))
    const part = toPart(entries.slice(0, 490).map((one) => ({ entry: one, isDead: false })))
    let sorts = 0
    const counted = {
      ...part,
      sortByAmount: () => {
        sorts++
        return part.sortByAmount()
      },
    }
    const rows = createUtxoRows([counted, toPart(entries.slice(490).map((one) => ({ entry: one, isDead: false })))])
    expect(textsByAmount(rows)).toEqual([...entries].sort(compare).map(textOf))
    expect(finish(rows.sortByAmount())).toBe(finish(rows.sortByAmount()))
    expect([sorts, finish(part.sortByAmount()) === finish(part.sortByAmount())]).toEqual([1, true])
  })

  it('are sorted in steps of a few thousand rows, equal amounts and dead rows included', () => {
    const count = 3 * ROWS_PER_STEP + 5
    const rowOf = (n: number) => ({
      // groups of equal amounts and first words of ids, some of which lie across two steps
      entry: {
        outpoint: {
          transactionId: Math.floor(n / 7)
            .toString(16)
            .padStart(64, '0'),
          index: n % 7,
        },
        amount: BigInt(Math.floor(n / 7) % 500) + 1n,
        scriptPublicKey: { version: 0, script: 'ac' },
        blockDaaScore: 0n,
        isCoinbase: false,
      },
      isDead: n % 11 === 0,
    })
    const all = Array.from({ length: count }, (_, n) => rowOf((n * 7_927) % count))
    const parts = [all.slice(0, 2 * ROWS_PER_STEP + 1), all.slice(2 * ROWS_PER_STEP + 1)].map(toPart)
    const rows = createUtxoRows(parts)
    const steps = rows.sortByAmount()
    let pauses = 0
    while (steps.next().done !== true) pauses++
    expect(pauses).toBeGreaterThan(20) // two for each pass over the larger part alone
    const live = all.flatMap(({ entry, isDead }) => (isDead ? [] : [entry]))
    expect(textsByAmount(rows)).toEqual(live.sort(compare).map(textOf))
  })
})
