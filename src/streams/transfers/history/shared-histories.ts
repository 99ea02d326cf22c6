import {
  BehaviorSubject,
  Subject,
  Subscription,
  distinctUntilChanged,
  switchMap,
  takeUntil,
  timer,
  type Observable,
} from 'rxjs'
import { RETENTION } from '../../utxos/sync/tracked-addresses.js'
import { followNode$, type HistoryNode } from './follow-node.js'
import { createHistoryPages, type HistoryPages, type ReadPage } from './pages.js'
import { NO_HISTORIES, reduceHistories, type Histories, type HistoriesEvent } from './reduce-histories.js'
import type { ListSettings } from './to-list.js'

/**
 * The histories of an engine's lists. Chain and mempool are followed once for all of them, while there is one, so that
 * lists of one address show the same rows in the same frame, whenever each began.
 */
export interface SharedHistories {
  /** Replays the current histories, emits each change to all lists. Completes with the engine. */
  readonly histories$: Observable<Histories>
  /**
   * Begins a list. Unsubscribing ends it; its addresses are followed for 1 s more, so that a remounted list finds them.
   */
  readonly open: (list: ListNeeds) => OpenList
}

export interface ListNeeds extends ListSettings {
  /** Transactions of a page. */
  readonly limit: number
  /** Ms between two looks at the mempool, 0 for none; the shortest one of all lists counts. */
  readonly mempoolInterval: number
}

export interface OpenList extends Subscription {
  /** How many rows the list shows; grows with each page. Replays. */
  readonly shown$: BehaviorSubject<number>
  /** Shows a page more; nothing while one is being read. */
  readonly more: () => void
}

export interface SharedHistoriesDeps extends HistoryNode {
  readonly readPage: ReadPage
  /** Emits at the end of the engine. */
  readonly ended$: Observable<void>
}

export function createSharedHistories(deps: SharedHistoriesDeps): SharedHistories {
  const histories = new SharedHistoryLists(deps)
  return { histories$: histories.histories$, open: (list) => histories.open(list) }
}

interface ListState {
  readonly needs: ListNeeds
  readonly shown$: BehaviorSubject<number>
}

class SharedHistoryLists {
  readonly #lists = new Set<ListState>()
  readonly #histories$ = new BehaviorSubject<Histories>(NO_HISTORIES)
  readonly #interval$ = new BehaviorSubject(0)
  readonly #added$ = new Subject<void>()
  readonly #pages: HistoryPages
  /** Undefined while no address is followed. */
  #following: Subscription | undefined

  readonly histories$: Observable<Histories>

  constructor(private readonly deps: SharedHistoriesDeps) {
    const store = { state: () => this.#histories$.value, dispatch: this.#dispatch }
    this.#pages = createHistoryPages(deps.readPage, deps, store)
    this.histories$ = this.#histories$.pipe(takeUntil(deps.ended$))
    deps.ended$.subscribe(() => this.#stop())
  }

  open(needs: ListNeeds): OpenList {
    const list: ListState = { needs, shown$: new BehaviorSubject(needs.limit) }
    this.#lists.add(list)
    this.#dispatch({ type: 'added', addresses: [...needs.addresses] })
    this.#updateInterval()
    this.#following ??= this.#follow()
    this.#readPages(list)
    this.#added$.next()
    const more = (): void => {
      if (this.#pages.isReading(needs.addresses)) return
      list.shown$.next(list.shown$.value + needs.limit)
      this.#readPages(list)
    }
    return Object.assign(new Subscription(() => this.#close(list)), { shown$: list.shown$, more })
  }

  #close(list: ListState): void {
    this.#lists.delete(list)
    if (this.#lists.size > 0) this.#updateInterval()
    this.#following?.add(timer(RETENTION, this.deps.platform.scheduler).subscribe(() => this.#removeUnused()))
  }

  #follow(): Subscription {
    const { deps } = this
    const node$ = followNode$(
      deps,
      { state: () => this.#histories$.value },
      { interval$: this.#interval$, added$: this.#added$, onStart: () => this.#pages.readNewestAgain() },
    )
    const followed$ = deps.network$.pipe(
      distinctUntilChanged(),
      switchMap((_, index) => {
        if (index > 0) this.#beginAgain()
        return node$
      }),
    )
    return followed$.pipe(takeUntil(deps.ended$)).subscribe((event) => this.#dispatch(event))
  }

  #removeUnused(): void {
    const used = new Set([...this.#lists].flatMap(({ needs }) => [...needs.addresses]))
    const addresses = [...this.#histories$.value.byAddress.keys()].filter((address) => !used.has(address))
    if (addresses.length === 0) return
    this.#pages.close(addresses)
    this.#dispatch({ type: 'removed', addresses })
    if (used.size === 0) this.#stop()
  }

  /** What was followed ends here. */
  #stop(): void {
    this.#following?.unsubscribe()
    this.#following = undefined
    this.#pages.close()
    this.#dispatch({ type: 'removed', addresses: [...this.#histories$.value.byAddress.keys()] })
    this.#dispatch({ type: 'begun-again' })
  }

  /** Another network has other transactions, also of the same address. */
  #beginAgain(): void {
    this.#pages.close()
    this.#dispatch({ type: 'begun-again' })
    for (const list of this.#lists) this.#readPages(list)
  }

  #readPages({ needs, shown$ }: ListState): void {
    const { addresses, limit, indexer } = needs
    if (indexer) this.#pages.read({ addresses, limit, shown: shown$.value })
  }

  #updateInterval(): void {
    const intervals = Array.from(this.#lists, ({ needs }) => needs.mempoolInterval).filter((ms) => ms > 0)
    this.#interval$.next(intervals.length === 0 ? 0 : Math.min(...intervals))
  }

  readonly #dispatch = (event: HistoriesEvent): void => {
    const next = reduceHistories(this.#histories$.value, event)
    if (next !== this.#histories$.value) this.#histories$.next(next)
  }
}
