import { debounceTime, map, merge, skip } from 'rxjs'
import { from, useObservable } from '@vueuse/rxjs'
import type { Ref } from 'vue'

/** Duration of the highlight in ms. */
const FLASH_TIME = 900

/** True for `FLASH_TIME` after each change of `value` but the first (unknown to known). */
export function useFlash(value: Ref<bigint | undefined>): Readonly<Ref<boolean>> {
  const changed$ = from(value).pipe(skip(1))
  return useObservable(
    merge(
      changed$.pipe(map(() => true)),
      changed$.pipe(
        debounceTime(FLASH_TIME),
        map(() => false),
      ),
    ),
    {
      initialValue: false,
    },
  )
}
