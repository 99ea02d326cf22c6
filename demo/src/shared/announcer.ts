import { useObservable } from '@vueuse/rxjs'
import { Subject, asyncScheduler, throttleTime } from 'rxjs'
import type { Ref } from 'vue'

const announcements$ = new Subject<string>()

/** Announces a sentence to screen readers: the first and the last of each second. */
export const announce = (sentence: string): void => announcements$.next(sentence)

/** The current text of the page's live region. */
export const useAnnouncement = (): Readonly<Ref<string>> =>
  useObservable(announcements$.pipe(throttleTime(1000, asyncScheduler, { leading: true, trailing: true })), {
    initialValue: '',
  })
