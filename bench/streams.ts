import { encodeAddress } from '../src/model/address.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createBooks, type Books } from '../src/streams/utxos/books.js'
import { createView, type View } from '../src/streams/utxos/view.js'
import type { BenchRow } from './row.js'

const ADDRESS = encodeAddress('kaspasim', 'PubKey', new Uint8Array(32).fill(1))

/** Entries in one change, half of them spent and half of them new. */
const CHANGE = 100
const ROUNDS = 300

const coin = (n: number): UtxoEntry => ({
  address: ADDRESS,
  outpoint: { transactionId: n.toString(16).padStart(64, '0'), index: 0 },
  amount: 1_000n,
  scriptPublicKey: { version: 0, script: '' },
  blockDaaScore: 10n,
  isCoinbase: false,
})

interface Ledger {
  readonly books: Books
  readonly view: View
  readonly size: number
}

/** A ledger of so many entries, with someone who looks at it. */
function createLedger(size: number): Ledger {
  const books = createBooks()
  const book = books.open(ADDRESS)
  const view = createView(books, { coinbaseMaturity: 1_000n, mempoolInterval: 0 })
  view.take(book)
  books.dispatch(book, { type: 'placed' })
  books.dispatch(book, { type: 'fetchBegun' })
  books.read(
    [book],
    Array.from({ length: size }, (_, n) => coin(n)),
  )
  return { books, view, size }
}

/** Milliseconds of one change, from the notification to the state that shows its balance: the median of many. */
function timeChange({ books, view, size }: Ledger): number {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = size + (round * CHANGE) / 2
    const added = Array.from({ length: CHANGE / 2 }, (_, n) => coin(first + n))
    const removed = Array.from({ length: CHANGE / 2 }, (_, n) => coin(first - size + n))
    const begun = performance.now()
    books.tell({ removed, added })
    view.state()
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** Milliseconds to take the whole set in anew, as a client does that refetches; the transport is left out. */
function timeRefetch({ books, size }: Ledger): number {
  const book = books.open(ADDRESS)
  const times = [1, 2, 3, 4, 5].map(() => {
    const snapshot = Array.from({ length: size }, (_, n) => coin(n))
    const begun = performance.now()
    books.dispatch(book, { type: 'invalidated' })
    books.dispatch(book, { type: 'fetchBegun' })
    books.read([book], snapshot)
    return performance.now() - begun
  })
  return median(times)
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** What a change of the ledger costs. */
export async function run(): Promise<BenchRow[]> {
  timeChange(createLedger(1_000)) // warms up
  const small = timeChange(createLedger(1_000))
  const large = createLedger(100_000)
  const change = timeChange(large)
  const refetch = timeRefetch(large)
  const detail = `${change.toFixed(3)} ms on 100,000 entries`
  return Promise.resolve([
    {
      what: 'one change of 100 entries on a ledger of 100,000',
      against: 'the same on a ledger of 1,000',
      ratio: change / small,
      goal: '≤ 1.5 ×, < 1 ms',
      met: change / small <= 1.5 && change < 1,
      detail: `${detail}, ${small.toFixed(3)} ms on 1,000`,
    },
    {
      what: 'the same change',
      against: 'taking in all entries anew, transport and decoding left out',
      ratio: change / refetch,
      goal: '≤ 1/500 × with transport and decoding',
      met: change / refetch <= 1 / 500,
      detail: `${detail}, ${refetch.toFixed(1)} ms anew`,
    },
  ])
}
