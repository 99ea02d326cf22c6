import { distinctUntilChanged, map, takeWhile, timer, type Observable } from 'rxjs'
import type { Platform } from '../../platform/port.js'

const SECOND = 1_000

/**
 * The ms until a time, in whole seconds rounded up: now, then each second until 0. It follows the clock of the machine,
 * so that it is right after a sleep too.
 */
export const remaining$ = (
  expiresAt: number,
  { now, scheduler }: Pick<Platform, 'now' | 'scheduler'>,
): Observable<number> =>
  timer(0, SECOND, scheduler).pipe(
    map(() => Math.max(0, Math.ceil((expiresAt - now()) / SECOND) * SECOND)),
    takeWhile((remaining) => remaining > 0, true),
    distinctUntilChanged(),
  )
