import { useSubscription } from '@vueuse/rxjs'
import type { Observable } from 'rxjs'
import { customRef, effectScope, getCurrentScope, shallowReadonly, type Ref } from 'vue'
import { isServer } from './is-server.js'

/**
 * A state stream as a read-only ref that costs nothing until it is read: the first read subscribes, and the subscription
 * ends with the effect scope that called this function, whoever read it. Outside any scope it lives as long as the stream.
 * Shallow: what the stream emits stays plain. On a server it holds `initial` and never subscribes.
 */
export function useStream<T>(state$: Observable<T>, initial: T): Readonly<Ref<T>> {
  let latest = initial
  const value = customRef<T>((track, trigger) => {
    const update = (next: T): void => {
      latest = next
      trigger()
    }
    const listen = onceInScope(() => useSubscription(state$.subscribe(update)))
    const get = (): T => {
      listen() // before tracking: what a state stream says at once must not wake the very effect that reads it
      track()
      return latest
    }
    return { get, set: () => undefined }
  })
  return shallowReadonly(value)
}

/**
 * `effect`, to be run by the first call of the returned function, in the scope of this one. Later calls do nothing, nor
 * does a first one after the scope's end or on a server, where nothing would ever end what was begun.
 */
export function onceInScope(effect: () => void): () => void {
  // Detached where there is none, else what the effect places would end with the scope of its first reader.
  const scope = getCurrentScope() ?? effectScope(true)
  let next = isServer() ? undefined : effect
  return () => {
    const run = next
    next = undefined
    if (run && scope.active) scope.run(run)
  }
}
