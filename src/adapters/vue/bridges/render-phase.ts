import { getCurrentInstance, onMounted } from 'vue'
import { ReplaySubject, of, type Observable } from 'rxjs'

/** Whether this is server-side rendering: no connection, no subscription, and refs hold their initial values. */
export const isServer = (): boolean => typeof window === 'undefined'

/** Whether the calling component is being set up on server-rendered markup: its first render must match that. */
export function isHydrating(): boolean {
  const instance = getCurrentInstance()
  return instance !== null && !instance.isMounted && instance.vnode.el !== null
}

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
