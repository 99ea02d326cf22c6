import { shareReplay, switchMap, timer, type Observable } from 'rxjs'
import { loaded$ } from '../loaded.js'
import type { Surroundings } from '../surroundings.js'

/** How long, in ms, after the page's load KasWare's page script may take to tell the extension which site this is. */
export const CHECK_IN = 150

/**
 * Emits once KasWare knows which site it is talking to. Before that a permitted site is shown no account, or that of the
 * site which stood in this tab before; and a question to the user names no site and ends in a refusal.
 */
export const checkedIn$ = (surroundings: Surroundings): Observable<unknown> =>
  loaded$(surroundings).pipe(
    switchMap(() => timer(CHECK_IN, surroundings.platform.scheduler)),
    shareReplay(1),
  )
