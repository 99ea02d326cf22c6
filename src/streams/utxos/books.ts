import { Subject, type Observable } from 'rxjs'
import type { UtxoEntry } from '../../model/utxo.js'
import { createBook, type Book } from './book.js'
import { UNREAD, isUnplaced, reduceBook, type BookEvent, type Delta } from './book-phase.js'
import { applyDelta, replaceEntries, type DeltaOutcome, type EntryChanges } from './entry-changes.js'
import { createHistory, type Moment } from './history.js'
import { confirmIncoming } from './incoming.js'
import { createRecentlyTold, isMuddled } from './recently-told.js'

/** The books of all addresses that anyone tracks: one each, however many show it. */
export interface Books {
  readonly all: ReadonlyMap<string, Book>
  /** The moment of now, at which all entries can be read ever after. */
  readonly now: () => Moment
  /** Books whose addresses the node has not yet agreed to tell of. */
  readonly unplaced: ReadonlySet<Book>
  /** Books that wait for a snapshot. */
  readonly due: ReadonlySet<Book>
  /** The book of an address; opened where there is none. */
  open(address: string): Book
  /** Forgets an address. */
  drop(book: Book): void
  dispatch(book: Book, event: BookEvent): void
  /** Emits each book whose phase has changed, at once. */
  readonly moved$: Observable<Book>
  /** Takes a notification in; books in which it raised a doubt. */
  tell(delta: Delta): readonly Book[]
  /** Takes a snapshot of some books in, and what was told while it was fetched. */
  read(books: readonly Book[], snapshot: readonly UtxoEntry[]): void
}

/** No books yet. `seed` is any number; a secret one keeps strangers from choosing outpoints that collide. */
export function createBooks(seed = 0): Books {
  const all = new Map<string, Book>()
  const unplaced = new Set<Book>()
  const due = new Set<Book>()
  const moved$ = new Subject<Book>()
  const recent = createRecentlyTold(seed)
  const history = createHistory(
    (address) => all.get(address)?.entries.values(),
    () => all.keys(),
  )

  /** Tells everybody of what has already been done. */
  function publish(book: Book, changes: EntryChanges): void {
    if (changes.gone.length === 0 && changes.come.length === 0) return
    history.note(changes)
    for (const holder of book.holders) holder.onEntries(changes)
    confirmIncoming(book, changes)
  }

  function update(book: Book, { removed, added }: Delta): DeltaOutcome['fit'] {
    const { changes, fit } = applyDelta(book.address, book.entries, removed, added)
    publish(book, changes)
    return fit
  }

  const dispatch: Books['dispatch'] = (book, event) => {
    const before = book.phase
    book.phase = reduceBook(before, event)
    if (book.phase === before) return
    sort(book)
    for (const holder of book.holders) holder.onPhase(book, before)
    moved$.next(book)
  }

  /** Books lie where the next to work on them looks for them. */
  function sort(book: Book): void {
    unplaced[isUnplaced(book.phase) ? 'add' : 'delete'](book)
    due[book.phase.step === 'due' ? 'add' : 'delete'](book)
  }

  return {
    all,
    unplaced,
    due,
    now: () => history.now(),
    open: (address) => {
      const known = all.get(address)
      if (known !== undefined) return known
      const book = createBook(address, seed)
      all.set(address, book)
      sort(book)
      return book
    },
    drop: (book) => {
      publish(book, replaceEntries(book.address, book.entries, []))
      book.phase = UNREAD // an answer that is still to come means nothing to it
      all.delete(book.address)
      unplaced.delete(book)
      due.delete(book)
    },
    dispatch,
    moved$,
    tell: (delta) => {
      const doubtful: Book[] = []
      const order = recent.note(delta)
      for (const [address, part] of byAddress(delta)) {
        const book = all.get(address)
        if (book === undefined) continue
        dispatch(book, { type: 'told', delta: part })
        if (book.phase.content !== 'read') continue
        if (update(book, part) === 'doubtful' || order === 'doubtful') doubtful.push(book)
      }
      return doubtful
    },
    read: (books, snapshot) => {
      const entries = byAddress({ removed: [], added: snapshot })
      for (const book of books) {
        if (book.phase.step !== 'reading') continue // invalidated meanwhile: a newer snapshot is to come
        const { told } = book.phase
        publish(book, replaceEntries(book.address, book.entries, entries.get(book.address)?.added ?? []))
        for (const delta of told) update(book, delta) // that the snapshot holds some of it is as it should be
        dispatch(book, { type: 'fetched' })
        if (isMuddled(told, seed)) dispatch(book, { type: 'invalidated' })
      }
    },
  }
}

/** A notification, taken apart by address. A node always names it. */
function byAddress({ removed, added }: Delta): ReadonlyMap<string, { removed: UtxoEntry[]; added: UtxoEntry[] }> {
  const parts = new Map<string, { removed: UtxoEntry[]; added: UtxoEntry[] }>()
  const partOf = (address: string): { removed: UtxoEntry[]; added: UtxoEntry[] } => {
    const known = parts.get(address)
    if (known !== undefined) return known
    const part = { removed: [], added: [] }
    parts.set(address, part)
    return part
  }
  // not for … of: where it is not optimized yet, its steps are garbage by the hundred thousand in a first snapshot
  removed.forEach((entry) => {
    if (entry.address !== undefined) partOf(entry.address).removed.push(entry)
  })
  added.forEach((entry) => {
    if (entry.address !== undefined) partOf(entry.address).added.push(entry)
  })
  return parts
}
