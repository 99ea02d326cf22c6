import { Subject, type Observable } from 'rxjs'
import { isMature } from '../../model/maturity.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { Book, BookHolder, Books } from './books.js'
import type { EntryChange } from './entry-changes.js'
import type { UtxoState } from './state.js'
import { summarize, type Summary, type Surroundings } from './summary.js'
import { createTally } from './tally.js'
import { readAt } from './versions.js'

/** What one listener is shown: the books of its addresses, their worth, and what of them may be spent. */
export interface View extends BookHolder {
  readonly held: ReadonlyMap<string, Book>
  take(book: Book): void
  leave(book: Book): void
  /** Moves the clock by which coins ripen. */
  setScore(score: bigint): void
  setReserved(reserved: ReadonlySet<OutpointKey>): void
  setSurroundings(surroundings: Surroundings): void
  state(): UtxoState
  /** Emits after each change of what `state` would say. */
  readonly changed$: Observable<void>
}

/** What is worked out when it is asked for, and kept until something changes. */
interface Derived {
  addresses?: readonly string[] | undefined
  summary?: Summary | undefined
  entries?: (() => readonly UtxoEntry[]) | undefined
  matureEntries?: (() => readonly UtxoEntry[]) | undefined
}

export function createView(books: Books, coinbaseMaturity: bigint): View {
  const held = new Map<string, Book>()
  const tally = createTally(coinbaseMaturity)
  const changed$ = new Subject<void>()
  let reserved: ReadonlySet<OutpointKey> = new Set()
  let surroundings: Surroundings = { node: 'synced', misfit: null }
  let derived: Derived = {}

  const forget = (stale: Derived): void => {
    derived = { ...derived, ...stale }
    changed$.next()
  }
  function* heldEntries(): Iterable<readonly [OutpointKey, UtxoEntry]> {
    for (const book of held.values()) yield* book.entries
  }
  function state(): UtxoState {
    const { version } = books
    const { score } = tally
    const addresses = (derived.addresses ??= [...held.keys()])
    const entries = (derived.entries ??= once(() =>
      readAt(version, new Set(addresses), (one) => books.all.get(one)?.entries),
    ))
    const spendable = isSpendable(score, coinbaseMaturity, reserved)
    const matureEntries = (derived.matureEntries ??= once(() => entries().filter(spendable)))
    return {
      addresses,
      ...(derived.summary ??= summarize(held.values(), surroundings)),
      balance: tally.balance(),
      get entries() {
        return entries()
      },
      get matureEntries() {
        return matureEntries()
      },
    }
  }

  const view: View = {
    held,
    changed$,
    state,
    take: (book) => {
      held.set(book.address, book)
      book.holders.add(view)
      tally.apply(toArrivals(book))
      tally.addIncoming(expectedBy(book))
      forget(ALL)
    },
    leave: (book) => {
      held.delete(book.address)
      book.holders.delete(view)
      tally.apply(toArrivals(book).map(reversed))
      tally.addIncoming(-expectedBy(book))
      forget(ALL)
    },
    setScore: (score) => {
      if (tally.moveTo(score, heldEntries) === 'changed') forget({ matureEntries: undefined })
    },
    setReserved: (next) => {
      reserved = next
      forget({ matureEntries: undefined })
    },
    setSurroundings: (next) => {
      surroundings = next
      forget({ summary: undefined })
    },
    onEntries: (changes) => {
      tally.apply(changes)
      forget({ entries: undefined, matureEntries: undefined })
    },
    onIncoming: (amount) => {
      tally.addIncoming(amount)
      forget({})
    },
    onPhase: () => forget({ summary: undefined }),
  }
  return view
}

const ALL: Derived = { addresses: undefined, summary: undefined, entries: undefined, matureEntries: undefined }

/** What `create` may spend: ripe, bound by no covenant, not taken by a payment under way. */
const isSpendable =
  (score: bigint, coinbaseMaturity: bigint, reserved: ReadonlySet<OutpointKey>) =>
  (entry: UtxoEntry): boolean =>
    entry.covenantId === undefined &&
    isMature(entry, score, coinbaseMaturity) &&
    !(reserved.size > 0 && reserved.has(toOutpointKey(entry.outpoint)))

/** All entries of a book, as if they had just come. */
const toArrivals = ({ address, entries }: Book): EntryChange[] =>
  Array.from(entries, ([key, after]) => ({ address, key, before: undefined, after }))

const reversed = ({ before, after, ...change }: EntryChange): EntryChange => ({
  ...change,
  before: after,
  after: before,
})

function expectedBy({ incoming }: Book): bigint {
  let expected = 0n
  for (const amount of incoming.values()) expected += amount
  return expected
}

/** Works something out at the first call, and answers the same ever after. */
function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => (result ??= { value: work() }).value
}
