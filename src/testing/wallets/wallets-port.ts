import { asyncScheduler, distinctUntilChanged, fromEventPattern, map, startWith, type SchedulerLike } from 'rxjs'
import { createPageWallets } from '../../wallets/page-wallets.js'
import type { WalletsPort } from '../../wallets/port.js'
import type { TestPage } from './test-page.js'

/**
 * The wallets that were installed into a page of a test, for an app's `ports.wallets`: so that tests need no window, and
 * none sees another's wallets. `scheduler` is where all waiting runs.
 */
export function createTestWallets(page: TestPage, scheduler: SchedulerLike = asyncScheduler): WalletsPort {
  const changed$ = fromEventPattern(
    (handler: () => void) => page.document.addEventListener('visibilitychange', handler),
    (handler: () => void) => page.document.removeEventListener('visibilitychange', handler),
  )
  const visible$ = changed$.pipe(
    startWith(undefined),
    map(() => page.document.visibilityState === 'visible'),
    distinctUntilChanged(),
  )
  return createPageWallets({ scheduler, visible$ }, page)
}
