import { asyncScheduler, distinctUntilChanged, fromEventPattern, map, startWith, type SchedulerLike } from 'rxjs'
import { createPageWallets } from '../../wallets/page-wallets.js'
import type { WalletsPort } from '../../wallets/port.js'
import type { TestPage } from './page.js'

/**
 * The wallets of a test page for an app's `ports.wallets`: needs no `window` and isolates tests. `scheduler` runs all
 * timers.
 */
export function createTestWallets(page: TestPage, scheduler: SchedulerLike = asyncScheduler): WalletsPort {
  const visibilityChange$ = fromEventPattern(
    (handler: () => void) => page.document.addEventListener('visibilitychange', handler),
    (handler: () => void) => page.document.removeEventListener('visibilitychange', handler),
  )
  const visible$ = visibilityChange$.pipe(
    startWith(undefined),
    map(() => page.document.visibilityState === 'visible'),
    distinctUntilChanged(),
  )
  return createPageWallets({ scheduler, visible$, storage: null, random: () => Math.random() }, page)
}
