import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createBooks } from '../../../src/streams/utxos/books.js'
import { readAt, type Version } from '../../../src/streams/utxos/versions.js'
import { ALICE, BOB, coin } from './coins.js'

const sorted = (entries: readonly UtxoEntry[]) => [...entries].sort((a, b) => Number(a.amount - b.amount))

it('an old version can still be read, as it was, whatever has happened since', () => {
  const entry = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.bigInt({ min: 1n, max: 3n }), fc.constantFrom(ALICE, BOB))
    .map(([n, blockDaaScore, address]) => coin(address === ALICE ? n : n + 100, { blockDaaScore, address }))
  const entries = fc.array(entry, { maxLength: 5 })
  fc.assert(
    fc.property(fc.array(fc.tuple(entries, entries), { maxLength: 12 }), (deltas) => {
      const books = createBooks()
      const alice = books.open(ALICE)
      const bob = books.open(BOB)
      for (const book of [alice, bob])
        for (const type of ['placed', 'fetchBegun'] as const) books.dispatch(book, { type })
      books.read([alice, bob], [])
      const moments: { version: Version; all: UtxoEntry[] }[] = []
      const remember = () => moments.push({ version: books.version, all: [...alice.entries.values()] })
      remember()
      for (const [removed, added] of deltas) {
        books.tell({ removed, added })
        remember()
      }
      books.drop(bob)
      for (const { version, all } of moments) {
        const read = readAt(version, new Set([ALICE]), (address) => books.all.get(address)?.entries)
        expect(sorted(read)).toEqual(sorted(all))
      }
    }),
  )
})
