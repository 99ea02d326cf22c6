import { ReplaySubject, of, type Observable } from 'rxjs'
import { getCurrentInstance, onMounted } from 'vue'

/**
 * Emits once the calling component is mounted, so that hydration finds what the server wrote; at once outside of one, and
 * in one that is mounted already, as in its `onMounted`.
 */
export function useMounted(): Observable<unknown> {
  if (getCurrentInstance()?.isMounted !== false) return of(undefined)
  const mounted$ = new ReplaySubject<unknown>(1)
  onMounted(() => mounted$.next(undefined))
  return mounted$
}
