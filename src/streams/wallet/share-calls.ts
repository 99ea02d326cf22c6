import { finalize, firstValueFrom, share, type Observable } from 'rxjs'

/** Concurrent calls with the same key share one execution; a completed one is not replayed. */
export function shareCalls(): (key: string, call$: Observable<void>) => Promise<void> {
  const pending = new Map<string, Observable<void>>()
  return (key, call$) => {
    const shared$ =
      pending.get(key) ??
      call$.pipe(
        finalize(() => pending.delete(key)),
        share(),
      )
    pending.set(key, shared$) // before subscribing, because it may complete synchronously
    return firstValueFrom(shared$)
  }
}
