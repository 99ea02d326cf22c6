import { EMPTY, catchError, combineLatest, distinctUntilChanged, map, merge, of, skip, switchMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { VirtualChainResult } from '../../node/messages/records.js'
import { retryWithBackoff, isPermanent, isRefusal } from '../retry-with-backoff.js'
import { DEFAULT_RETRIES, backoff } from '../connection/policy.js'
import type { NodeLink } from '../session/node-link.js'
import { toRpcError } from '../to-rpc-error.js'
import type { ChainStep } from './chain.js'
import type { Acceptance, AcceptanceEvent, ChainUpdate } from './phases.js'

type Deps = Pick<NodeLink, 'session$' | 'network$' | 'placed$' | 'events$' | 'malformed$' | 'call' | 'platform'>

/** All events of the acceptance reducer: notifications, subscription changes, responses, retries. */
export const inputs$ = (state$: Observable<Acceptance>, node: Deps): Observable<AcceptanceEvent> =>
  merge(notifications$(node), switched$(node), subscribed$(node), responses$(state$, node), retries$(state$, node))

/** Steps of the virtual chain; `dropped` for a notification that could not be read. */
function notifications$({ events$, malformed$, platform }: Deps): Observable<AcceptanceEvent> {
  const steps$ = events$('virtual-chain-changed').pipe(map(({ data }) => toUpdate(data)))
  const dropped$ = malformed$.pipe(map(() => 'dropped' as const))
  return merge(steps$, dropped$).pipe(map((update) => ({ type: 'notified', update, at: platform.now() }) as const))
}

/** The network was switched. */
const switched$ = ({ network$ }: Deps): Observable<AcceptanceEvent> =>
  network$.pipe(
    skip(1),
    map(() => ({ type: 'networkChanged' }) as const),
  )

/** Whether the virtual chain is subscribed with accepted transaction ids. */
const subscribed$ = ({ session$, placed$ }: Deps): Observable<AcceptanceEvent> =>
  combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => {
      const scope = placed.scopes.get('virtual-chain-changed')
      const hasAcceptedIds = scope?.type === 'virtual-chain-changed' && scope.includeAcceptedTransactionIds
      return session !== null && hasAcceptedIds
    }),
    distinctUntilChanged(),
    map((isSubscribed) => ({ type: isSubscribed ? 'opened' : 'closed' }) as const),
  )

/** The response to the current request. A request is aborted when its phase ends. */
const responses$ = (state$: Observable<Acceptance>, node: Deps): Observable<AcceptanceEvent> =>
  state$.pipe(
    distinctUntilChanged((a, b) => requestOf(a) === requestOf(b)),
    switchMap((state) => response$(state, node)),
  )

const requestOf = ({ phase, requestId }: Acceptance): number | null =>
  phase.status === 'starting' || 'from' in phase ? requestId : null

function response$({ phase, requestId }: Acceptance, { call, platform }: Deps): Observable<AcceptanceEvent> {
  if (phase.status === 'starting') {
    return call('getSink', {}).pipe(
      retryWithBackoff({ platform }, isTransient),
      map(({ sink }) => ({ type: 'sinkReceived', requestId, sink, at: platform.now() }) as const),
      catchError((cause: unknown) => of(toFailure('getSink', cause, requestId, platform.now()))),
    )
  }
  if ('from' in phase) {
    const request = { startHash: phase.from, includeAcceptedTransactionIds: true }
    return call('getVirtualChainFromBlock', request).pipe(
      retryWithBackoff({ platform }, isTransient),
      map((result) => ({ type: 'pageReceived', requestId, page: toStep(result), at: platform.now() }) as const),
      catchError((cause: unknown) => of(toFailure('getVirtualChainFromBlock', cause, requestId, platform.now()))),
    )
  }
  return EMPTY
}

/** A refusal that a retry may resolve, for example during IBD. */
const isTransient = (error: unknown): boolean => isRefusal(error) && !isPermanent(error)

/** `refused` where the node responded with an error, `failed` where it did not respond. */
function toFailure(method: string, cause: unknown, requestId: number, at: number): AcceptanceEvent {
  return { type: isRefusal(cause) ? 'refused' : 'failed', requestId, error: toRpcError(method, cause), at }
}

/** The end of each backoff. */
const retries$ = (state$: Observable<Acceptance>, { platform }: Deps): Observable<AcceptanceEvent> =>
  state$.pipe(
    map(({ phase, tries }) => (phase.status === 'backing-off' ? tries : 0)),
    distinctUntilChanged(),
    switchMap((tries) =>
      tries === 0 ? EMPTY : timer(backoff(tries, DEFAULT_RETRIES, platform.random()), platform.scheduler),
    ),
    map(() => ({ type: 'retryDue' }) as const),
  )

/** A chain step, each added block with the transactions it accepted. */
function toStep({
  removedChainBlockHashes,
  addedChainBlockHashes,
  acceptedTransactionIds,
}: VirtualChainResult): ChainStep {
  const accepted = new Map(
    acceptedTransactionIds.map((block) => [block.acceptingBlockHash, block.acceptedTransactionIds]),
  )
  const added = addedChainBlockHashes.map((hash) => ({ hash, accepted: accepted.get(hash) ?? [] }))
  return { removed: removedChainBlockHashes, added }
}

/** A notification without accepted ids is dropped: every block accepts at least a coinbase. */
const toUpdate = (data: VirtualChainResult): ChainUpdate =>
  data.addedChainBlockHashes.length > data.acceptedTransactionIds.length ? 'dropped' : toStep(data)
