import { ReplaySubject, of, type Observable } from 'rxjs'
import { getCurrentInstance, onMounted } from 'vue'

/** Emits once the calling component is mounted, so that hydration finds what the server wrote; outside of one at once. */
export function useMounted(): Observable<unknown> {
  if (!getCurrentInstance()) return of(undefined)
  const mounted$ = new ReplaySubject<unknown>(1)
  onMounted(() => mounted$.next(undefined))
  return mounted$
}
