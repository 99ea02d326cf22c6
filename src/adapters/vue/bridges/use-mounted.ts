import { ReplaySubject, of, type Observable } from 'rxjs'
import { getCurrentInstance, onMounted } from 'vue'
import { isHydrating } from './is-hydrating.js'

/**
 * Emits once the calling component is mounted, so that hydration matches the server's markup. Emits at once outside a
 * component and in a mounted one, as in its `onMounted`.
 */
export function useMounted(): Observable<unknown> {
  if (getCurrentInstance()?.isMounted !== false) return of(undefined)
  const mounted$ = new ReplaySubject<unknown>(1)
  onMounted(() => mounted$.next(undefined))
  return mounted$
}

/** Emits once the calling component has adopted the server's markup; at once where there is none. */
export const useHydrated = (): Observable<unknown> => (isHydrating() ? useMounted() : of(undefined))
