import { shareReplay, switchMap, timer, type Observable } from 'rxjs'
import { loaded$ } from '../loaded.js'
import type { WalletEnvironment } from '../environment.js'

/**
 * Ms after the page's load within which KasWare's page script sends the site's origin to the extension (`tabCheckin`).
 */
export const CHECK_IN = 150

/**
 * Emits once KasWare has the site's origin. Before that it exposes no account to a permitted site, or the account of
 * the tab's previous site, and a prompt names no site and ends in a rejection.
 */
export const checkedIn$ = (environment: WalletEnvironment): Observable<unknown> =>
  loaded$(environment).pipe(
    switchMap(() => timer(CHECK_IN, environment.platform.scheduler)),
    shareReplay(1),
  )
