import { useSubscription } from '@vueuse/rxjs'
import { NEVER, switchMap, type Observable } from 'rxjs'
import { computed, getCurrentInstance, onMounted, shallowReadonly, shallowRef, type ComputedRef, type Ref } from 'vue'
import { isServer } from './is-server.js'
import { toStream } from './ref-to-stream.js'

export interface Listening<T> {
  /** The latest value; between `unsubscribe` and `subscribe` the last one. */
  readonly value: Readonly<Ref<T>>
  readonly isListening: ComputedRef<boolean>
  readonly subscribe: () => Promise<void>
  readonly unsubscribe: () => Promise<void>
}

/**
 * A state stream that is listened to from `subscribe` to `unsubscribe`, or to the end of the calling scope, whether its
 * value is read or not. With `autoSubscribe` from the start: on mount inside a component, else at once. On a server never.
 */
export function useListening<T>(state$: Observable<T>, initial: T, autoSubscribe: boolean): Listening<T> {
  const wanted = shallowRef(false)
  const value = shallowRef<T>(initial) as Ref<T>
  const want = (next: boolean): Promise<void> => {
    wanted.value = next && !isServer()
    return Promise.resolve()
  }
  const heard$ = toStream(wanted).pipe(switchMap((isWanted) => (isWanted ? state$ : NEVER)))
  useSubscription(
    heard$.subscribe((next) => {
      value.value = next
    }),
  )
  const start = (): void => void want(true)
  if (autoSubscribe && getCurrentInstance()) onMounted(start)
  else if (autoSubscribe) start()
  return {
    value: shallowReadonly(value),
    isListening: computed(() => wanted.value),
    subscribe: () => want(true),
    unsubscribe: () => want(false),
  }
}
