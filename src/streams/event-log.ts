import { Subject, auditTime, concat, defer, map, of, type Observable, type SchedulerLike } from 'rxjs'
import type { RpcEvent } from '../model/event.js'
import { shareLatest } from './share-latest.js'

/** How many events are kept. */
const CAPACITY = 200

/** The newest events, for people to look at. */
export interface EventLog {
  /**
   * The newest 200 events that were heard, oldest first. Hot and shared; a late subscriber gets the current list at once,
   * then at most one list a frame. Never errors, completes with the engine. Listening asks the node for nothing.
   */
  readonly events$: Observable<readonly RpcEvent[]>
  clear(): void
}

/** Keeps what `heard$` says from now on, until it completes; `frames` is where bursts are drawn together. */
export function createEventLog(heard$: Observable<RpcEvent>, frames: SchedulerLike, capacity = CAPACITY): EventLog {
  const changed$ = new Subject<void>()
  let kept: RpcEvent[] = []
  const read = (): readonly RpcEvent[] => kept.slice(-capacity)

  heard$.subscribe({
    next: (event) => {
      // Thinned out once in `capacity` events, and copied only for whoever reads: an event costs a push.
      if (kept.length === 2 * capacity) kept = kept.slice(-capacity)
      kept.push(event)
      changed$.next()
    },
    complete: () => changed$.complete(),
  })
  return {
    events$: concat(
      defer(() => of(read())),
      changed$.pipe(auditTime(0, frames), map(read)),
    ).pipe(shareLatest()),
    clear: () => {
      kept = []
      changed$.next()
    },
  }
}
