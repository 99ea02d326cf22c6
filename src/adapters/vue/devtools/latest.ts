import { take, type Observable } from 'rxjs'

/** The value that a state stream replays at once; undefined after the engine's disposal. */
export function latestOf<T>(state$: Observable<T>): T | undefined {
  let latest: T | undefined
  state$.pipe(take(1)).subscribe((state) => (latest = state))
  return latest
}
