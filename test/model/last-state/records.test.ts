import { describe, expect, it } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { encodeAddress, toScriptPublicKey } from '../../../src/model/address.js'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import { toHex } from '../../../src/model/hex.js'
import { MAX_STORED_UTXOS, decodeColumns, encodeColumns } from '../../../src/model/last-state/columns.js'
import {
  seal,
  toSetKey,
  decodeSummary,
  encodeSummary,
  type LastSummary,
} from '../../../src/model/last-state/summary.js'
import { markDead, noDeadRows } from '../../../src/model/utxo-columns/columns.js'
import { selectRecords, toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import { createUtxoPart } from '../../../src/model/utxo-source/rows.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'

const addressOf = (prefix: 'kaspa' | 'kaspasim', byte: number): string =>
  encodeAddress(prefix, 'PubKey', new Uint8Array(32).fill(byte))

const [FIRST, SECOND] = [addressOf('kaspasim', 1), addressOf('kaspasim', 2)] as const
const NOW = 1_700_000_000_000
const KEY = toSetKey([FIRST, SECOND])
const EXPECTED = { key: KEY, network: 'simnet', now: NOW, maxAge: 1000 } as const

const summary: LastSummary = {
  network: 'simnet',
  asOf: NOW - 10,
  daaScore: 123n,
  byAddress: new Map([
    [FIRST, { mature: 5n, unconfirmed: 1n, immature: 2n, bound: 3n }],
    [SECOND, { mature: 0n, unconfirmed: 0n, immature: 0n, bound: 0n }],
  ]),
  columns: 'ab'.repeat(32),
}

const record = (change: Partial<LastSummary> = {}) => finish(encodeSummary({ ...summary, ...change })).bytes
const read = (bytes: unknown, expected: Partial<typeof EXPECTED> = {}) =>
  finish(decodeSummary(bytes, { ...EXPECTED, ...expected }))
const sealText = (value: unknown) => finish(seal([new TextEncoder().encode(JSON.stringify(value))])).bytes

describe('a record of balances', () => {
  it('is what was encoded, for the addresses in any order', () => {
    expect(read(record())).toEqual(summary)
    expect(toSetKey([SECOND, FIRST])).toBe(KEY)
  })

  it('is none where any byte of it has changed, or is missing', () => {
    const bytes = record()
    const isRead = (changed: Uint8Array): boolean => read(changed) !== undefined
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 128]) {
        const changed = bytes.slice()
        changed[at] = (changed[at] ?? 0) ^ bit
        expect(isRead(changed), `byte ${at}`).toBe(false)
      }
    }
    expect([bytes.subarray(1), bytes.subarray(0, -1), new Uint8Array(31)].filter(isRead)).toEqual([])
  })

  it.each([
    ['of the future', record({ asOf: NOW + 1 })],
    ['too old', record({ asOf: NOW - 1001 })],
    ['of another network', record({ network: 'devnet' })],
    ['of other addresses', record({ byAddress: new Map([...summary.byAddress].slice(0, 1)) })],
    ['no record', undefined],
    ['a text', 'text'],
    ['a digest of no JSON', finish(seal([Uint8Array.of(123)])).bytes],
    ['of another version', sealText([2, 'simnet', NOW, '1', null, []])],
    [
      'of an amount above the supply',
      record({
        byAddress: new Map([
          [FIRST, balanceOf(MAX_SOMPI)],
          [SECOND, balanceOf(1n)],
        ]),
      }),
    ],
    [
      'of a negative amount',
      record({
        byAddress: new Map([
          [FIRST, balanceOf(-1n)],
          [SECOND, balanceOf(1n)],
        ]),
      }),
    ],
    ['of a score that no node has', record({ daaScore: 2n ** 64n })],
    ['of a digest that is none', record({ columns: 'ab' })],
    [
      'of an address twice',
      sealText([
        1,
        'simnet',
        NOW,
        '1',
        null,
        [
          [FIRST, '1', '2', '3', '4'],
          [FIRST, '1', '2', '3', '4'],
        ],
      ]),
    ],
    ['of a field more', sealText([1, 'simnet', NOW, '1', null, [], 'mnemonic'])],
  ])('is none where it is %s', (_, bytes) => {
    expect(read(bytes)).toBeUndefined()
  })
})

function balanceOf(mature: bigint) {
  return { mature, unconfirmed: 0n, immature: 0n, bound: 0n }
}

const entry = (number: number, change: Partial<UtxoEntry> = {}): UtxoEntry => ({
  address: FIRST,
  outpoint: { transactionId: number.toString(16).padStart(64, '0'), index: number },
  amount: BigInt(number),
  scriptPublicKey: toScriptPublicKey(change.address ?? FIRST),
  blockDaaScore: 2n ** 40n + BigInt(number),
  isCoinbase: number % 2 === 0,
  covenantId: undefined,
  ...change,
})
const partOf = (entries: readonly UtxoEntry[], dead: readonly number[] = []) => {
  const rows = noDeadRows(entries.length)
  dead.forEach((row) => markDead(rows, row))
  return createUtxoPart(toUtxoColumns(entries)!, rows)
}
const PARTS = [
  partOf([entry(1), entry(2), entry(3, { covenantId: 'cd'.repeat(32) })], [1]),
  partOf([entry(4, { address: SECOND })]),
]

function encoded(parts = PARTS) {
  const { bytes, digest } = finish(encodeColumns(parts, 'simnet'))!
  return { bytes, digest: toHex(digest) }
}
const readColumns = (bytes: unknown, digest = encoded().digest, isOwn = (_: string): boolean => true) =>
  finish(decodeColumns(bytes, { network: 'simnet', digest, isOwn }))

describe('a record of UTXOs', () => {
  it('has the live rows of all parts, with the scripts of their addresses', () => {
    const columns = readColumns(encoded().bytes)
    expect(selectRecords(columns!, () => true)).toEqual([
      entry(1),
      entry(3, { covenantId: 'cd'.repeat(32) }),
      entry(4, { address: SECOND }),
    ])
    const none = encoded([])
    expect(readColumns(none.bytes, none.digest)?.count).toBe(0)
  })

  it('is none where any byte of it has changed, or it is not the one that the summary names', () => {
    const { bytes } = encoded()
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice()
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(readColumns(changed), `byte ${at}`).toBeUndefined()
    }
    expect(readColumns(encoded([PARTS[0]!]).bytes)).toBeUndefined()
    expect(readColumns(undefined)).toBeUndefined()
  })

  it('is none of addresses that the summary has not', () => {
    expect(readColumns(encoded().bytes, undefined, (address) => address === FIRST)).toBeUndefined()
  })

  it.each([
    ['amounts above the supply', [partOf([entry(1, { amount: MAX_SOMPI + 1n })])]],
    ['amounts of nothing', [partOf([entry(1, { amount: 0n })])]],
    ['an address of another network', [partOf([entry(1, { address: addressOf('kaspa', 1) })])]],
    ['an id of a covenant for another row', [covenantOfNone()]],
  ])('is none with %s, though its digest fits', (_, parts) => {
    const { bytes, digest } = encoded(parts)
    expect(readColumns(bytes, digest)).toBeUndefined()
  })

  it('is not written of more than a hundred thousand', () => {
    const { columns } = partOf([entry(1)])
    expect(
      finish(encodeColumns([{ ...createUtxoPart(columns), live: MAX_STORED_UTXOS + 1 }], 'simnet')),
    ).toBeUndefined()
  })
})

function covenantOfNone() {
  const { columns, dead } = partOf([entry(1)])
  return createUtxoPart({ ...columns, covenantIds: new Map([[0, 'cd'.repeat(32)]]) }, dead)
}
