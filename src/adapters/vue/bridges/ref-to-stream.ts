import { from } from '@vueuse/rxjs'
import type { Observable } from 'rxjs'
import { toRef, type MaybeRefOrGetter } from 'vue'

/**
 * A plain value, ref or getter as a stream: the current value at once, then each change, synchronously. Never completes
 * by itself: it is watched until the subscriber leaves.
 */
export const toStream = <T>(value: MaybeRefOrGetter<T>): Observable<T> =>
  from<T>(toRef(value), { immediate: true, flush: 'sync' })
