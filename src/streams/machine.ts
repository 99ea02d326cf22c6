import { BehaviorSubject, Subject, distinctUntilChanged, observeOn, queueScheduler, scan, type Observable } from 'rxjs'

/** A state that changes by events alone. */
export interface Machine<State, Event> {
  /** Replays the current state, emits only changes, never errors, completes with `end`. */
  readonly state$: Observable<State>
  /** The state now. Inside a reaction to a change it may lag behind what was dispatched: that waits its turn. */
  readonly state: State
  dispatch(event: Event): void
  end(): void
}

/**
 * A pure reducer, run: events are taken one after the other, also those dispatched while another is being worked on,
 * so that nobody ever sees two changes out of order.
 */
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
