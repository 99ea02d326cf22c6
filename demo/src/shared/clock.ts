import { useObservable } from '@vueuse/rxjs'
import { interval, map, startWith } from 'rxjs'
import type { Ref } from 'vue'

/** The current time in Unix milliseconds, updated every `period` ms. */
export const useNow = (period = 1000): Readonly<Ref<number>> =>
  useObservable(
    interval(period).pipe(
      startWith(0),
      map(() => Date.now()),
    ),
    { initialValue: Date.now() },
  )
