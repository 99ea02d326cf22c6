import { BehaviorSubject, Subject, ignoreElements, merge, startWith, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { invalidArgument } from '../errors/chain-error.js'
import { inFrames } from './in-frames.js'
import type { NodeLink } from './session/node-link.js'
import { shareLatest } from './share-latest.js'

/** The newest of what a stream has told, for one listener. */
export interface History<Item> {
  /**
   * The list, at most one emission a frame. Hot and shared; a late subscriber gets the current list at once. Collects while
   * anyone listens, and keeps what it has in between; with another network it begins empty. Never errors; completes with
   * the engine.
   */
  readonly state$: Observable<readonly Item[]>
  /** The same list, while nothing is collected: `clear` empties it, and another network. Promises else what `state$` promises. */
  readonly kept$: Observable<readonly Item[]>
  /** The list as it was last handed over. */
  readonly items: () => readonly Item[]
  /** Empties the list, at once. */
  clear(): void
}

export interface HistoryDeps<Item, Event> extends Pick<NodeLink, 'ended$'> {
  readonly platform: Pick<NodeLink['platform'], 'frames'>
  /** What the list is about; it begins empty with another. */
  readonly subject$: Observable<unknown>
  readonly events$: Observable<Event>
  /** The list after a batch of events, in order. */
  readonly reduce: (items: readonly Item[], events: readonly Event[]) => readonly Item[]
}

/** A list that is worked on once a frame, however many events there were: a burst costs one copy, not one an event. */
export function createHistory<Item, Event>(deps: HistoryDeps<Item, Event>): History<Item> {
  const { events$, reduce, platform, subject$, ended$ } = deps
  const items$ = new BehaviorSubject<readonly Item[]>([])
  const cleared$ = new Subject<void>()
  const collecting$ = cleared$.pipe(
    startWith(undefined),
    switchMap(() => events$.pipe(inFrames(platform.frames))), // clearing drops what is gathered but not yet handed over
    tap((batch) => items$.next(reduce(items$.value, batch))),
    ignoreElements(),
  )
  const clear = (): void => {
    if (items$.value.length > 0) items$.next([])
    cleared$.next()
  }
  let subject: unknown
  const turning$ = subject$.pipe(
    tap((now) => {
      if (subject !== undefined && now !== subject) clear()
      subject = now
    }),
    ignoreElements(),
  )
  const kept$ = merge(items$, turning$)
  return {
    state$: merge(kept$, collecting$).pipe(shareLatest(ended$)),
    kept$: kept$.pipe(shareLatest(ended$)),
    items: () => items$.value,
    clear,
  }
}

/** How many a list holds at most, 100 where nobody says. Throws `ChainError` (`invalid-argument`) for what is no count. */
export function atMost(maxHistory = 100): number {
  if (maxHistory >= 0 && (Number.isInteger(maxHistory) || maxHistory === Infinity)) return maxHistory
  throw invalidArgument('maxHistory', `"maxHistory" is ${maxHistory}: give a whole number from 0, or Infinity`)
}
