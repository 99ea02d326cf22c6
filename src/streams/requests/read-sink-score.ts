import { map, switchMap, type Observable } from 'rxjs'
import { toHeader } from '../chain/header.js'
import type { NodeLink } from '../session/node-link.js'

/** The DAA score of the node's sink. May error. */
export const readSinkScore$ = ({ call }: Pick<NodeLink, 'call'>): Observable<bigint> =>
  call('getSink', {}).pipe(
    switchMap(({ sink: hash }) => call('getBlock', { hash, includeTransactions: false })),
    map(({ block }) => toHeader('getBlock', block.header).daaScore),
  )
