import { BehaviorSubject, Subject, distinctUntilChanged, observeOn, queueScheduler, scan, type Observable } from 'rxjs'

/** A state that changes by events only. */
export interface Machine<State, Event> {
  /** Replays the current state, emits only changes, never errors, completes with `end`. */
  readonly state$: Observable<State>
  /** The current state. While a change is being emitted, events dispatched meanwhile are not yet applied. */
  readonly state: State
  dispatch(event: Event): void
  end(): void
}

/** Runs a pure reducer. Events dispatched during an emission are queued, so that subscribers see changes in order. */
export function createMachine<State, Event>(
  initial: State,
  reduce: (state: State, event: Event) => State,
): Machine<State, Event> {
  const events$ = new Subject<Event>()
  const state$ = new BehaviorSubject(initial)
  events$.pipe(observeOn(queueScheduler), scan(reduce, initial), distinctUntilChanged()).subscribe(state$)
  return {
    state$: state$.pipe(distinctUntilChanged()),
    get state() {
      return state$.value
    },
    dispatch: (event) => events$.next(event),
    end: () => events$.complete(),
  }
}
