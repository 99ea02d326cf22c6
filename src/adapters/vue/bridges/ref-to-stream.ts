import { from } from '@vueuse/rxjs'
import { Observable } from 'rxjs'
import { computed, effectScope, toValue, type MaybeRefOrGetter } from 'vue'

/**
 * A plain value, ref or getter as a stream: emits the current value, then each change, synchronously. Never completes.
 * The watcher ends with the subscription, not with the scope in which that begins: the subscribers of a shared stream
 * follow it further where the component of the first one is unmounted.
 */
export const toStream = <T>(value: MaybeRefOrGetter<T>): Observable<T> => {
  const current$ = from(
    computed(() => toValue(value)),
    { immediate: true, flush: 'sync' },
  )
  return new Observable((subscriber) => effectScope(true).run(() => current$.subscribe(subscriber)))
}
