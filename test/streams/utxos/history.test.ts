import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { Book } from '../../../src/streams/utxos/book.js'
import { createBooks, type Books } from '../../../src/streams/utxos/books.js'
import type { Moment } from '../../../src/streams/utxos/history.js'
import { createView } from '../../../src/streams/utxos/view.js'
import { ALICE, BOB, coin } from './coins.js'

const sorted = (entries: readonly UtxoEntry[]): UtxoEntry[] =>
  [...entries].sort((a, b) => Number(a.amount - b.amount || a.blockDaaScore - b.blockDaaScore))

/** The book of an address, read and told of everything. */
function openLive(books: Books, address: string): Book {
  const book = books.open(address)
  for (const type of ['placed', 'fetchBegun'] as const) books.dispatch(book, { type })
  books.read([book], [])
  return book
}

it('a moment can still be read, as it was, whatever has happened since and whoever has gone', () => {
  const entry = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.bigInt({ min: 1n, max: 3n }), fc.constantFrom(ALICE, BOB))
    .map(([n, blockDaaScore, address]) => coin(address === ALICE ? n : n + 100, { blockDaaScore, address }))
  const entries = fc.array(entry, { maxLength: 5 })
  const happening = fc.oneof(
    { weight: 6, arbitrary: fc.record({ removed: entries, added: entries }) },
    { weight: 1, arbitrary: fc.constant('drop' as const) },
    { weight: 1, arbitrary: fc.constant('shower' as const) },
  )
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 14 }), (happenings) => {
      const books = createBooks()
      openLive(books, ALICE)
      openLive(books, BOB)
      const moments: { moment: Moment; all: UtxoEntry[] }[] = []
      const aliceEntries = (): UtxoEntry[] => books.all.get(ALICE)?.entries.values() ?? []
      for (const one of happenings) {
        moments.push({ moment: books.now(), all: aliceEntries() })
        if (one === 'drop') {
          for (const book of [...books.all.values()]) books.drop(book)
          openLive(books, ALICE)
        } else if (one === 'shower') {
          // enough to close a stretch, so that older moments are read from a copy
          for (let n = 1_000; n < 1_600; n++) books.tell({ removed: [coin(n - 1)], added: [coin(n)] })
        } else {
          books.tell(one)
        }
      }
      for (const { moment, all } of moments) expect(sorted(moment.entriesOf([ALICE]))).toEqual(sorted(all))
    }),
    { numRuns: 60 },
  )
})

it('a moment that nobody has read keeps a bounded past alive, however much happens after it', async () => {
  const books = createBooks()
  const book = openLive(books, ALICE)
  const moment = books.now()
  const passing = new WeakRef(passBy(books, 5_000))
  passBy(books, 5_000)
  await expect.poll(() => (collectGarbage(), passing.deref() === undefined)).toBe(true)
  expect(moment.entriesOf([ALICE])).toEqual([])
  expect(book.entries.size).toBe(1)
})

it('a state that was read keeps nothing alive of what came after it, and one that was not, one stretch of it', async () => {
  const books = createBooks()
  const book = openLive(books, ALICE)
  const view = createView(books, { coinbaseMaturity: 1_000n, mempoolInterval: 0 })
  view.take(book)
  books.tell({ removed: [], added: [coin(9_999)] })
  const read = view.state()
  expect(read.entries).toEqual([coin(9_999)])
  books.tell({ removed: [coin(9_999)], added: [coin(9_998)] })
  const unread = view.state()
  const soon = new WeakRef(passBy(books, 10)) // still in the stretch that `unread` stands in
  const later = new WeakRef(passBy(books, 4_000))
  view.state()
  await expect.poll(() => (collectGarbage(), later.deref() === undefined)).toBe(true)
  expect(soon.deref()).toBeDefined()
  expect(unread.matureEntries).toEqual([coin(9_998)])
  await expect.poll(() => (collectGarbage(), soon.deref() === undefined)).toBe(true)
  expect([read.entries.length, unread.entries.length]).toEqual([1, 1])
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') gc()
}

/** So many coins, of which each takes the place of the one before; a change in the midst of it. */
function passBy(books: Books, coins: number): UtxoEntry {
  const first = books.all.get(ALICE)?.entries.values() ?? []
  let last = first
  let middle = coin(0)
  for (let n = 1; n <= coins; n++) {
    const added = [coin(n)]
    books.tell({ removed: last, added })
    if (n === coins / 2) middle = added[0] ?? middle
    last = added
  }
  return middle
}
