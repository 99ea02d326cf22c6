import { BehaviorSubject, Subject, ignoreElements, merge, startWith, switchMap, tap } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import { inFrames } from './in-frames.js'
import { shareLatest } from './share-latest.js'

/** The newest of what a stream has told, for one listener. */
export interface History<Item> {
  /**
   * The list, at most one emission a frame. Hot and shared; a late subscriber gets the current list at once. Collects while
   * anyone listens, and keeps what it has in between. Never errors; completes with the engine.
   */
  readonly state$: Observable<readonly Item[]>
  /** The list as it was last handed over. */
  readonly items: () => readonly Item[]
  /** Empties the list, at once. */
  clear(): void
}

export interface HistoryDeps<Item, Event> {
  readonly events$: Observable<Event>
  /** The list after a batch of events, in order. */
  readonly reduce: (items: readonly Item[], events: readonly Event[]) => readonly Item[]
  readonly frames: SchedulerLike
  /** Ends the history. */
  readonly ended$: Observable<unknown>
}

/** A list that is worked on once a frame, however many events there were: a burst costs one copy, not one an event. */
export function createHistory<Item, Event>(deps: HistoryDeps<Item, Event>): History<Item> {
  const { events$, reduce, frames, ended$ } = deps
  const items$ = new BehaviorSubject<readonly Item[]>([])
  const cleared$ = new Subject<void>()
  const collecting$ = cleared$.pipe(
    startWith(undefined),
    switchMap(() => events$.pipe(inFrames(frames))), // clearing drops what is gathered but not yet handed over
    tap((batch) => items$.next(reduce(items$.value, batch))),
    ignoreElements(),
  )
  return {
    state$: merge(items$, collecting$).pipe(shareLatest(ended$)),
    items: () => items$.value,
    clear: () => {
      items$.next([])
      cleared$.next()
    },
  }
}
