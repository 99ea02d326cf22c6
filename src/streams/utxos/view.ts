import { Subject, type Observable } from 'rxjs'
import { parseOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { Book, BookHolder } from './book.js'
import type { Books } from './books.js'
import { expectedBy } from './incoming.js'
import { entriesAt, isSameShown, spendableOf, toState, type Parts } from './shown.js'
import type { UtxoState } from './state.js'
import { isSameSurroundings, summarize, type Surroundings } from './summary.js'
import { createTally } from './tally.js'

/** What one listener is shown: the books of its addresses, their worth, and what of them may be spent. */
export interface View extends BookHolder {
  readonly held: ReadonlyMap<string, Book>
  take(book: Book): void
  leave(book: Book): void
  /** Leaves all books, and says which, for one who will be shown nothing any more: nothing is counted. */
  close(): readonly Book[]
  /** Moves the clock by which coins ripen. */
  setScore(score: bigint): void
  setReserved(reserved: ReadonlySet<OutpointKey>): void
  setSurroundings(surroundings: Surroundings): void
  /** What there is to show now; the very same object where that is what was shown last. */
  state(): UtxoState
  /** Emits after each change that `state` may have something to say of. */
  readonly changed$: Observable<void>
}

export interface ViewSettings {
  readonly coinbaseMaturity: bigint
  readonly mempoolInterval: number
}

/** What is worked out when it is asked for, and kept until something changes. */
type Derived = { readonly [Part in Exclude<keyof Parts, 'balance'>]?: Parts[Part] | undefined }

const ALL: Derived = { addresses: undefined, summary: undefined, entries: undefined, matureEntries: undefined }

export function createView(books: Books, { coinbaseMaturity, mempoolInterval }: ViewSettings): View {
  const held = new Map<string, Book>()
  const tally = createTally(coinbaseMaturity)
  const changed$ = new Subject<void>()
  let reserved: ReadonlySet<OutpointKey> = new Set()
  let surroundings: Surroundings = { node: 'synced', misfit: null }
  let derived: Derived = {}
  let shown: { readonly parts: Parts; readonly state: UtxoState } | null = null

  const forget = (stale: Derived): void => {
    derived = { ...derived, ...stale }
    changed$.next()
  }
  function parts(): Parts {
    const addresses = derived.addresses ?? [...held.keys()]
    const entries = derived.entries ?? entriesAt(books.now(), addresses)
    const rule = { score: tally.score, coinbaseMaturity, reserved }
    return {
      addresses,
      summary: derived.summary ?? summarize(held.values(), surroundings),
      balance: tally.balance(),
      entries,
      matureEntries: derived.matureEntries ?? spendableOf(entries, rule),
    }
  }
  function* heldEntries(): Iterable<UtxoEntry> {
    for (const { entries } of held.values()) yield* entries.values()
  }
  const isHeld = (key: OutpointKey): boolean => {
    const outpoint = parseOutpointKey(key)
    for (const { entries } of held.values()) if (entries.get(outpoint) !== undefined) return true
    return false
  }
  /** Who never looks into the mempool counts nothing that is there. */
  const countIncoming = (amount: bigint): void => {
    if (mempoolInterval > 0) tally.addIncoming(amount)
  }

  const view: View = {
    mempoolInterval,
    held,
    changed$,
    state: () => {
      const next = parts()
      derived = next
      if (shown === null || !isSameShown(shown.parts, next)) shown = { parts: next, state: toState(next) }
      return shown.state
    },
    take: (book) => {
      held.set(book.address, book)
      book.holders.add(view)
      tally.apply({ gone: [], come: book.entries.values() })
      countIncoming(expectedBy(book))
      forget(ALL)
    },
    leave: (book) => {
      held.delete(book.address)
      book.holders.delete(view)
      tally.apply({ gone: book.entries.values(), come: [] })
      countIncoming(-expectedBy(book))
      forget(ALL)
    },
    close: () => {
      const books = [...held.values()]
      for (const book of books) book.holders.delete(view)
      held.clear()
      return books
    },
    setScore: (score) => {
      if (tally.moveTo(score, heldEntries) === 'changed') forget({ matureEntries: undefined })
    },
    setReserved: (next) => {
      const isOther = differences(reserved, next).some(isHeld)
      reserved = next
      if (isOther) forget({ matureEntries: undefined })
    },
    setSurroundings: (next) => {
      if (isSameSurroundings(surroundings, next)) return
      surroundings = next
      forget({ summary: undefined })
    },
    onEntries: (changes) => {
      tally.apply(changes)
      forget({ entries: undefined, matureEntries: undefined })
    },
    onIncoming: (amount) => {
      if (mempoolInterval === 0) return
      countIncoming(amount)
      forget({})
    },
    onPhase: () => forget({ summary: undefined }),
  }
  return view
}

/** What stands in one of two sets only. */
const differences = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [
  ...[...a].filter((one) => !b.has(one)),
  ...[...b].filter((one) => !a.has(one)),
]
