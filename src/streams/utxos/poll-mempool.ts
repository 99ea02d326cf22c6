import { EMPTY, concat, defer, exhaustMap, filter, ignoreElements, map, merge, of, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import type { AddressSet } from './address-set.js'
import type { UtxoSets } from './utxo-sets.js'
import { readMempool$ } from './read-mempool.js'
import type { UtxoRequests } from './requests.js'

const ADDRESSES_PER_REQUEST = 1_000

export type PollMempoolDeps = Pick<NodeLink, 'session$' | 'responses$' | 'call' | 'platform'>

/**
 * Reads unconfirmed payments to the address sets: when a set is opened, at the shortest interval of its subscribers,
 * after own payments, and on request. One request at a time; sets that become due meanwhile share the next one. Never
 * emits or errors.
 */
export function pollMempool$(utxoSets: UtxoSets, requests: UtxoRequests, node: PollMempoolDeps): Observable<never> {
  const polled = (): AddressSet[] => [...utxoSets.all.values()].filter((set) => pollIntervalOf(set) < Infinity)

  const pollInSession$ = defer(() => {
    const due = new Set<AddressSet>()
    const known = new WeakSet<AddressSet>()
    const readDue$: Observable<unknown> = defer(() => {
      const addressSets = [...due].slice(0, ADDRESSES_PER_REQUEST)
      if (addressSets.length === 0) return EMPTY
      for (const set of addressSets) known.add(set)
      for (const set of addressSets) due.delete(set)
      return concat(readMempool$(addressSets, node), readDue$)
    })
    return merge(
      requests.ticked$.pipe(map((ms) => polled().filter((set) => pollIntervalOf(set) === ms))),
      merge(requests.mempoolReads$, payments$(node).pipe(map(polled))),
      merge(requests.tracked$, of(undefined)).pipe(map(() => polled().filter((set) => !known.has(set)))),
    ).pipe(
      tap((addressSets) => addressSets.forEach((set) => due.add(set))),
      exhaustMap(() => readDue$),
    )
  })
  return node.session$.pipe(
    switchMap((session) => (session === null ? EMPTY : pollInSession$)),
    ignoreElements(),
  )
}

/** The shortest poll interval of the subscribers, in ms; Infinity where none polls. */
const pollIntervalOf = ({ subscribers }: AddressSet): number =>
  Math.min(...Array.from(subscribers, ({ mempoolInterval }) => mempoolInterval || Infinity))

/** Emits after each payment submitted by this client. */
const payments$ = ({ responses$ }: PollMempoolDeps): Observable<unknown> =>
  responses$.pipe(filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'))
