import { EMPTY, catchError, combineLatest, distinctUntilChanged, map, merge, of, skip, switchMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { VirtualChainResult } from '../../node/messages/records.js'
import { askAgain, isForGood, isRefusal } from '../ask-again.js'
import { DEFAULT_RETRIES, backoff } from '../connection/policy.js'
import type { NodeLink } from '../session/node-link.js'
import { toRpcError } from '../to-rpc-error.js'
import type { ChainStep } from './chain.js'
import type { Acceptance, AcceptanceEvent, Told } from './phases.js'

type Deps = Pick<NodeLink, 'session$' | 'network$' | 'placed$' | 'events$' | 'missed$' | 'call' | 'platform'>

/** Everything that happens to the knowledge of the chain: what the node tells, what it answers, what time brings. */
export const inputs$ = (state$: Observable<Acceptance>, node: Deps): Observable<AcceptanceEvent> =>
  merge(told$(node), switched$(node), telling$(node), answers$(state$, node), retries$(state$, node))

/** What the node tells, and that something was lost on the way. */
function told$({ events$, missed$, platform }: Deps): Observable<AcceptanceEvent> {
  const steps$ = events$('virtual-chain-changed').pipe(map(({ data }) => toTold(data)))
  const losses$ = missed$.pipe(map(() => 'missed' as const))
  return merge(steps$, losses$).pipe(map((told) => ({ type: 'told', told, at: platform.now() }) as const))
}

/** Another network is sought: its chain is another. */
const switched$ = ({ network$ }: Deps): Observable<AcceptanceEvent> =>
  network$.pipe(
    skip(1),
    map(() => ({ type: 'networkChanged' }) as const),
  )

/** Whether the node tells: there is a session, and in it the virtual chain is subscribed to with what it accepts. */
const telling$ = ({ session$, placed$ }: Deps): Observable<AcceptanceEvent> =>
  combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => {
      const scope = placed.scopes.get('virtual-chain-changed')
      const isWhole = scope?.type === 'virtual-chain-changed' && scope.includeAcceptedTransactionIds
      return session !== null && isWhole
    }),
    distinctUntilChanged(),
    map((isTelling) => ({ type: isTelling ? 'opened' : 'closed' }) as const),
  )

/** The answer to each question. One number, one question: it is let go with the phase that asked it. */
const answers$ = (state$: Observable<Acceptance>, node: Deps): Observable<AcceptanceEvent> =>
  state$.pipe(
    distinctUntilChanged((a, b) => questionOf(a) === questionOf(b)),
    switchMap((state) => answer$(state, node)),
  )

const questionOf = ({ phase, asked }: Acceptance): number | null =>
  phase.step === 'starting' || 'from' in phase ? asked : null

function answer$({ phase, asked }: Acceptance, { call, platform }: Deps): Observable<AcceptanceEvent> {
  if (phase.step === 'starting') {
    return call('getSink', {}).pipe(
      askAgain({ platform }, mayPass),
      map(({ sink }) => ({ type: 'sinkAnswered', asked, sink, at: platform.now() }) as const),
      catchError((cause: unknown) => of(toFailure('getSink', cause, asked, platform.now()))),
    )
  }
  if ('from' in phase) {
    const request = { startHash: phase.from, includeAcceptedTransactionIds: true }
    return call('getVirtualChainFromBlock', request).pipe(
      askAgain({ platform }, mayPass),
      map((result) => ({ type: 'pulled', asked, page: toStep(result), at: platform.now() }) as const),
      catchError((cause: unknown) => of(toFailure('getVirtualChainFromBlock', cause, asked, platform.now()))),
    )
  }
  return EMPTY
}

/** A refusal that may pass, as while a node catches up. */
const mayPass = (error: unknown): boolean => isRefusal(error) && !isForGood(error)

/** A node that answers with a refusal will refuse again; one that did not answer may yet. */
function toFailure(method: string, cause: unknown, asked: number, at: number): AcceptanceEvent {
  return { type: isRefusal(cause) ? 'refused' : 'failed', asked, error: toRpcError(method, cause), at }
}

/** The end of each rest. */
const retries$ = (state$: Observable<Acceptance>, { platform }: Deps): Observable<AcceptanceEvent> =>
  state$.pipe(
    map(({ phase, tries }) => (phase.step === 'resting' ? tries : 0)),
    distinctUntilChanged(),
    switchMap((tries) =>
      tries === 0 ? EMPTY : timer(backoff(tries, DEFAULT_RETRIES, platform.random()), platform.scheduler),
    ),
    map(() => ({ type: 'retryDue' }) as const),
  )

/** A step of the chain, each added block with what it accepted. */
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

/** A notification that does not say what its blocks accepted is as good as none: every block accepts a coinbase at least. */
const toTold = (data: VirtualChainResult): Told =>
  data.addedChainBlockHashes.length > data.acceptedTransactionIds.length ? 'missed' : toStep(data)
