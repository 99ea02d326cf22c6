import { finalize, firstValueFrom, share, type Observable } from 'rxjs'

/** Calls under the same key at a time are one call. One that has ended is over at once, for whoever calls next. */
export function shareCalls(): (key: string, call$: Observable<void>) => Promise<void> {
  const underWay = new Map<string, Observable<void>>()
  return (key, call$) => {
    const shared$ =
      underWay.get(key) ??
      call$.pipe(
        finalize(() => underWay.delete(key)),
        share(),
      )
    underWay.set(key, shared$) // before it begins: it may end while it does
    return firstValueFrom(shared$)
  }
}
