import { useObservable } from '@vueuse/rxjs'
import { Subject, asyncScheduler, throttleTime } from 'rxjs'
import type { Ref } from 'vue'

const spoken$ = new Subject<string>()

/** Has a sentence read out by screen readers. Of several within a second the first and the last are. */
export const announce = (sentence: string): void => spoken$.next(sentence)

/** The sentence for the page's one live region. */
export const useAnnouncement = (): Readonly<Ref<string>> =>
  useObservable(spoken$.pipe(throttleTime(1000, asyncScheduler, { leading: true, trailing: true })), {
    initialValue: '',
  })
