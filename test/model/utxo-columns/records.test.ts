import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasFieldsOf, hasId, readId, toEntry, toUtxoColumns, writeId } from '../../../src/model/utxo-columns/records.js'
import { groupColumns } from '../../../src/model/utxo-columns/select-rows.js'
import { WordSum } from '../../../src/model/utxo-columns/words.js'
import type { UtxoColumns } from '../../../src/model/utxo-columns/columns.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'

const hexOf = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => Array.from(all, toHexByte).join(''))
const toHexByte = (byte: number): string => byte.toString(16).padStart(2, '0')

/** Bigints as text, for JSON. */
const toText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

const u64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(0n, 2n ** 32n - 1n, 2n ** 53n + 1n))
const entry: fc.Arbitrary<UtxoEntry> = fc.record({
  address: fc.constantFrom('a', 'b', undefined),
  outpoint: fc.record({ transactionId: hexOf(32), index: fc.nat({ max: 2 ** 32 - 1 }) }),
  amount: u64,
  scriptPublicKey: fc.constantFrom({ version: 0, script: '20' }, { version: 1, script: '20' }),
  blockDaaScore: u64,
  isCoinbase: fc.boolean(),
  covenantId: fc.option(hexOf(32), { nil: undefined }),
})

describe('UTXO columns', () => {
  it('contain every field of the records that they are made of', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const columns = toUtxoColumns(entries)
        expect(columns).toBeDefined()
        if (columns === undefined) return
        expect(entries.map((_, row) => toEntry(columns, row))).toEqual(entries)
        for (const [row, { outpoint }] of entries.entries()) {
          expect(readId(columns, row)).toBe(outpoint.transactionId)
          expect(hasId(columns, row, outpoint.transactionId)).toBe(true)
          expect(hasId(columns, row, outpoint.transactionId.replace(/.$/, '!'))).toBe(false)
        }
        const sum = new WordSum()
        entries.forEach((_, row) => sum.add(columns.amounts, row))
        const total = entries.reduce((total, { amount }) => total + amount, 0n)
        expect(sum.total).toBe(total)
        sum.addRows(columns.amounts, 0, columns.count)
        expect(sum.total).toBe(2n * total)
      }),
    )
  })

  it('have an exact sum of amounts, however many and large they are', () => {
    const rows = 2 ** 21 + 3
    const sum = new WordSum()
    sum.addRows(new Uint32Array(2 * rows).fill(2 ** 32 - 1), 0, rows)
    sum.addRows(Uint32Array.of(9, 9, 1, 0), 1, 2)
    expect(sum.total).toBe(BigInt(rows) * (2n ** 64n - 1n) + 1n)
  })

  it('have all fields of a record where it equals that of the row, apart from the outpoint', () => {
    const variants = [
      { amount: 2n ** 63n },
      { blockDaaScore: 2n ** 63n },
      { isCoinbase: true },
      { isCoinbase: false },
      { covenantId: 'ab'.repeat(32) },
      { covenantId: undefined },
      { address: 'a' },
      { scriptPublicKey: { version: 1, script: '20' } },
      { scriptPublicKey: { version: 0, script: '21' } },
    ]
    fc.assert(
      fc.property(entry, fc.subarray(variants), (one, some) => {
        const other = Object.assign({}, one, ...some) as UtxoEntry
        const columns = toUtxoColumns([one])
        const isEqual = JSON.stringify(other, toText) === JSON.stringify(one, toText)
        expect(columns && hasFieldsOf(columns, 0, other)).toBe(isEqual)
      }),
    )
  })

  it('are grouped by address, in order, without rows that have none', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), fc.boolean(), (some, isSorted) => {
        // a node reports one address after the other
        const entries = isSorted ? some.sort((a, b) => String(a.address).localeCompare(String(b.address))) : some
        const columns = toUtxoColumns(entries)
        const groups = columns === undefined ? new Map<string, UtxoColumns>() : new Map(groupColumns(columns))
        for (const address of ['a', 'b']) {
          const group = groups.get(address)
          const rows = Array.from({ length: group?.count ?? 0 }, (_, row) => group && toEntry(group, row))
          expect(rows).toEqual(entries.filter((one) => one.address === address))
        }
        expect([...groups.keys()].every((address) => ['a', 'b'].includes(address))).toBe(true)
      }),
    )
  })

  it('take an id of 64 digits of lower-case hex only', () => {
    const id = '0123456789abcdef'.repeat(4)
    const words = new Uint32Array(8)
    expect(writeId(words, 0, id)).toBe(true)
    for (const other of [id.slice(1), `${id}0`, ''.padEnd(64), id.toUpperCase()]) {
      expect(writeId(words, 0, other), other).toBe(false)
    }
    for (let at = 0; at < id.length; at++) {
      for (const digit of ['g', '/', ':', '`', 'A', '\u0130', '\u6161']) {
        expect(writeId(words, 0, id.slice(0, at) + digit + id.slice(at + 1)), `${digit} at ${at}`).toBe(false)
      }
    }
  })

  it.each<[string, Partial<UtxoEntry>]>([
    ['an id that is no hash', { outpoint: { transactionId: 'ab', index: 0 } }],
    ['an id in upper case', { outpoint: { transactionId: 'AB'.repeat(32), index: 0 } }],
    ['an index above 32 bits', { outpoint: { transactionId: 'ab'.repeat(32), index: 2 ** 32 } }],
    ['a negative amount', { amount: -1n }],
    ['a DAA score above 64 bits', { blockDaaScore: 2n ** 64n }],
  ])('do not hold %s', (_, part) => {
    const fitting: UtxoEntry = {
      outpoint: { transactionId: 'ab'.repeat(32), index: 0 },
      amount: 1n,
      scriptPublicKey: { version: 0, script: '20' },
      blockDaaScore: 1n,
      isCoinbase: false,
    }
    expect(toUtxoColumns([fitting])?.count).toBe(1)
    expect(toUtxoColumns([fitting, { ...fitting, ...part }])).toBeUndefined()
  })
})
