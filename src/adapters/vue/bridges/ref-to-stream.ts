import { from } from '@vueuse/rxjs'
import type { Observable } from 'rxjs'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'

/**
 * A plain value, ref or getter as a stream: emits the current value, then each change, synchronously. Never completes.
 */
export const toStream = <T>(value: MaybeRefOrGetter<T>): Observable<T> =>
  from(
    computed(() => toValue(value)),
    { immediate: true, flush: 'sync' },
  )
