import { NEVER, distinctUntilChanged, filter, map, switchMap, type Observable, type Subscription } from 'rxjs'
import type { Connector } from '../connection/connection.js'
import type { Session } from './establish.js'
import type { ServerState } from './server-state.js'

/** Reports an unhealthy node to the connector, so that the next attempt prefers others. */
export function reportFaults(
  connection: Pick<Connector<Session>, 'state' | 'reportFault'>,
  session$: Observable<Session | null>,
  server$: Observable<ServerState>,
): Subscription {
  return session$
    .pipe(
      switchMap((session) => (session === null ? NEVER : server$)),
      map(({ health }) => health),
      distinctUntilChanged(),
      filter((health) => health !== 'healthy' && health !== 'unknown'),
    )
    .subscribe(() => connection.reportFault(connection.state.dial))
}
