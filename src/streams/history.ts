import {
  BehaviorSubject,
  Subject,
  ignoreElements,
  merge,
  startWith,
  switchMap,
  tap,
  type Observable,
  NEVER,
} from 'rxjs'
import { invalidArgument } from '../errors/chain-error.js'
import { inFrames } from './bursts.js'
import type { NodeLink } from './session/node-link.js'
import { shareLatest } from './share-latest.js'
import type { RpcEvent } from '../model/event.js'

/** The newest values of a stream, for one consumer. */
export interface History<Item> {
  /**
   * The list, at most one emission per frame. Hot and shared; replays the current list. Collects while there are
   * subscribers and keeps its items in between; empties on another network. Never errors; completes with the engine.
   */
  readonly state$: Observable<readonly Item[]>
  /** The same list without collecting; still emptied by `clear` and on another network. Otherwise like `state$`. */
  readonly passive$: Observable<readonly Item[]>
  /** The list as last emitted. */
  readonly items: () => readonly Item[]
  /** Empties the list at once. */
  clear(): void
}

interface HistoryDeps<Item, Event> extends Pick<NodeLink, 'ended$'> {
  readonly platform: Pick<NodeLink['platform'], 'frames'>
  /** The list empties when this value changes. */
  readonly subject$: Observable<unknown>
  readonly events$: Observable<Event>
  /** The list after a batch of events, in order. */
  readonly reduce: (items: readonly Item[], events: readonly Event[]) => readonly Item[]
}

/** A list updated once per frame: a burst of events costs one copy. */
export function createHistory<Item, Event>(deps: HistoryDeps<Item, Event>): History<Item> {
  const { events$, reduce, platform, subject$, ended$ } = deps
  const items$ = new BehaviorSubject<readonly Item[]>([])
  const cleared$ = new Subject<void>()
  const collecting$ = cleared$.pipe(
    startWith(undefined),
    switchMap(() => events$.pipe(inFrames(platform.frames))), // clearing also drops the buffered events
    tap((batch) => items$.next(reduce(items$.value, batch))),
    ignoreElements(),
  )
  const clear = (): void => {
    if (items$.value.length > 0) items$.next([])
    cleared$.next()
  }
  let subject: unknown
  const clearedOnChange$ = subject$.pipe(
    tap((next) => {
      if (subject !== undefined && next !== subject) clear()
      subject = next
    }),
    ignoreElements(),
  )
  const passive$ = merge(items$, clearedOnChange$)
  return {
    state$: merge(passive$, collecting$).pipe(shareLatest(ended$)),
    passive$: passive$.pipe(shareLatest(ended$)),
    items: () => items$.value,
    clear,
  }
}

/** The maximal length of a list, 100 by default. Throws `ChainError` (`invalid-argument`) for an invalid number. */
export function toHistoryLimit(maxHistory = 100): number {
  if (maxHistory >= 0 && (Number.isInteger(maxHistory) || maxHistory === Infinity)) return maxHistory
  throw invalidArgument('maxHistory', `"maxHistory" is ${maxHistory}: give a whole number from 0, or Infinity`)
}

/** Events in the log. */
const MAX_EVENTS = 200

/** The newest 200 received events, oldest first. Causes no subscription at the node. */
export type EventLog = History<RpcEvent>

export const createEventLog = (node: Pick<NodeLink, 'received$' | 'ended$' | 'platform'>): EventLog =>
  createHistory<RpcEvent, RpcEvent>({
    ...node,
    events$: node.received$,
    subject$: NEVER, // the log continues across networks
    reduce: (items, batch) => [...items, ...batch.slice(-MAX_EVENTS)].slice(-MAX_EVENTS),
  })
