import { filter, skip, take, type Observable } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'

/** Emits once at the next connection, not for the current one. */
export const nextSession$ = ({ session$ }: Pick<NodeLink, 'session$'>): Observable<unknown> =>
  session$.pipe(
    skip(1),
    filter((session) => session !== null),
    take(1),
  )
