import {
  BehaviorSubject,
  Subscription,
  catchError,
  filter,
  finalize,
  of,
  switchMap,
  take,
  takeUntil,
  timer,
  type Observable,
  map,
} from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import { RETENTION } from '../utxos/sync/tracked-addresses.js'
import { NetworkFollower, type Entries, type FollowNetworkDeps } from './follow-network.js'
import type { FollowedRequest } from './followed-request.js'
import { toHeader } from '../chain/header.js'

export interface FollowRequestsDeps extends FollowNetworkDeps, Pick<NodeLink, 'network$' | 'ended$' | 'autoConnect'> {}

/**
 * Follows the requests that have subscribers, and for 1 s more, so that a remounted one is not looked up again.
 */
export class RequestFollower {
  readonly #entries$ = new BehaviorSubject<Entries>(new Map())
  readonly #users = new Map<FollowedRequest, number>()
  #running: Subscription | undefined

  constructor(private readonly deps: FollowRequestsDeps) {}

  /** Follows a request until the result is unsubscribed. */
  readonly follow = (request: FollowedRequest): Subscription => {
    this.#users.set(request, (this.#users.get(request) ?? 0) + 1)
    this.deps.autoConnect()
    const isFollowed = this.#entries$.value.get(request.terms.address)?.request === request
    const followed = new Subscription(() => this.#release(request))
    if (!isFollowed) followed.add(this.#startedAt$().subscribe((at) => this.#add(request, at)))
    return followed
  }

  #run(): Subscription {
    const { network$, ended$ } = this.deps
    return network$
      .pipe(
        switchMap((network) => {
          const follower = new NetworkFollower(this.deps, network)
          const updates = this.#entries$.subscribe((entries) => follower.update(entries))
          return follower.followed$().pipe(
            finalize(() => {
              updates.unsubscribe()
              follower.interrupt()
            }),
          )
        }),
        takeUntil(ended$),
      )
      .subscribe()
  }

  /** A DAA score of the present: 0n where the node does not say, so that older confirmations do not count. */
  #startedAt$(): Observable<bigint> {
    const { session$, ended$ } = this.deps
    return session$.pipe(
      filter((session) => session !== null),
      take(1),
      switchMap(() => readSinkScore$(this.deps)),
      catchError(() => of(0n)),
      takeUntil(ended$),
    )
  }

  #add(request: FollowedRequest, startedAt: bigint): void {
    this.#entries$.next(new Map([...this.#entries$.value, [request.terms.address, { request, startedAt }]]))
    this.#running ??= this.#run()
  }

  #release(request: FollowedRequest): void {
    const { ended$, platform } = this.deps
    timer(RETENTION, platform.scheduler)
      .pipe(takeUntil(ended$))
      .subscribe(() => {
        const users = (this.#users.get(request) ?? 0) - 1
        if (users > 0) this.#users.set(request, users)
        else this.#remove(request)
      })
  }

  #remove(request: FollowedRequest): void {
    this.#users.delete(request)
    request.dispatch({ type: 'interrupted' })
    this.#entries$.next(new Map([...this.#entries$.value].filter(([, entry]) => entry.request !== request)))
    if (this.#users.size > 0) return
    this.#running?.unsubscribe()
    this.#running = undefined
  }
}

/** The DAA score of the node's sink. May error. */
export const readSinkScore$ = ({ call }: Pick<NodeLink, 'call'>): Observable<bigint> =>
  call('getSink', {}).pipe(
    switchMap(({ sink: hash }) => call('getBlock', { hash, includeTransactions: false })),
    map(({ block }) => toHeader('getBlock', block.header).daaScore),
  )
