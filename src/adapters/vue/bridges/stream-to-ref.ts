import { useSubscription } from '@vueuse/rxjs'
import { switchMap, type Observable } from 'rxjs'
import { customRef, effectScope, getCurrentScope, shallowReadonly, type Ref } from 'vue'
import { isServer } from './is-server.js'
import { useHydrated } from './use-mounted.js'

/**
 * A state stream as a read-only shallow ref. The first read subscribes; the subscription ends with the effect scope
 * that called this function, not with that of the reader. Without a scope it ends with the stream. On a server the ref
 * holds `initial` and never subscribes; so it does while the component hydrates what the server rendered.
 */
export const useStream = <T>(state$: Observable<T>, initial: T): Readonly<Ref<T>> =>
  useRenderedStream(useHydrated().pipe(switchMap(() => state$)), initial)

/** As `useStream`, for a stream whose first value is the one that the server rendered. */
export function useRenderedStream<T>(state$: Observable<T>, initial: T): Readonly<Ref<T>> {
  let latest = initial
  const value = customRef<T>((track, trigger) => {
    const update = (next: T): void => {
      latest = next
      trigger()
    }
    const subscribe = onceInScope(() => useSubscription(state$.subscribe(update)))
    const get = (): T => {
      subscribe() // before tracking: a synchronous first value must not trigger the effect that reads it
      track()
      return latest
    }
    return { get, set: () => undefined }
  })
  return shallowReadonly(value)
}

/**
 * Returns a function whose first call runs `effect` in the scope of this call. Later calls do nothing, nor does a first
 * one after the scope's end, or on a server, where a scope is never stopped.
 */
export function onceInScope(effect: () => void): () => void {
  // Detached without a scope: otherwise the effect would end with the scope of the first reader.
  const scope = getCurrentScope() ?? effectScope(true)
  let next = isServer() ? undefined : effect
  return () => {
    const run = next
    next = undefined
    if (run && scope.active) scope.run(run)
  }
}
