import { debounceTime, map, merge, skip } from 'rxjs'
import { from, useObservable } from '@vueuse/rxjs'
import type { Ref } from 'vue'

/** How long a change shows, in ms. */
const HOLD = 900

/** True for a moment after each change of `value`, the first one (from unknown to known) aside. */
export function useFlash(value: Ref<bigint | undefined>): Readonly<Ref<boolean>> {
  const changed$ = from(value).pipe(skip(1))
  return useObservable(
    merge(
      changed$.pipe(map(() => true)),
      changed$.pipe(
        debounceTime(HOLD),
        map(() => false),
      ),
    ),
    {
      initialValue: false,
    },
  )
}
