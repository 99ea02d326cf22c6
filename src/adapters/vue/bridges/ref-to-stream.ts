import { from } from '@vueuse/rxjs'
import type { Observable } from 'rxjs'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'

/**
 * A plain value, ref or getter as a stream: the current value at once, then each change, synchronously. Never completes
 * by itself: it is watched until the subscriber leaves.
 */
export const toStream = <T>(value: MaybeRefOrGetter<T>): Observable<T> =>
  from(
    computed(() => toValue(value)),
    { immediate: true, flush: 'sync' },
  )
