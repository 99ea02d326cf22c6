import { EMPTY, Subject, exhaustMap, filter, map, merge, switchMap, throttleTime, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import { createAddressOfScript } from '../chain/to-transaction.js'
import { consume$ } from '../consume.js'
import type { NodeLink } from '../session/node-link.js'
import type { AddressFilter } from '../transfers/extract.js'
import { createWatchedAddresses } from '../transfers/watched-addresses.js'
import {
  followTransfers$,
  type FollowChainDeps,
  type TransferStep,
  lookAtMempool$,
  type MempoolContent,
  acceptedPayments,
  pendingPayments,
} from './found-payments.js'
import type { FollowedRequest } from './followed-request.js'

/** A request that is followed. */
export interface Entry {
  readonly request: FollowedRequest
  /** A DAA score that was reached before its address is watched. */
  readonly startedAt: bigint
}

/** The followed requests by address. */
export type Entries = ReadonlyMap<string, Entry>

export interface FollowNetworkDeps
  extends FollowChainDeps, Pick<NodeLink, 'call' | 'session$' | 'responses$' | 'platform'> {
  /** Whether an address got the change of an own payment. */
  readonly isOwnChange: (address: string, transactionId: string) => boolean
}

/** Ms between two looks at the mempool. */
const LOOK_INTERVAL = 1_000
/** Every so many looks one is made although all requests are confirmed. */
const IDLE_LOOKS = 10
/** Minimum ms between two looks. */
const MIN_INTERVAL = 250

/** Mempool and chain of one network for its requests. */
export class NetworkFollower {
  readonly #watched = createWatchedAddresses()
  readonly #counted = new Set<string>()
  readonly #added$ = new Subject<void>()
  readonly #filter: AddressFilter
  #entries: Entries = new Map()

  constructor(
    private readonly deps: FollowNetworkDeps,
    private readonly network: ChainNetwork,
  ) {
    this.#filter = { isWatched: (address) => this.#watched.has(address), isChange: deps.isOwnChange }
  }

  /** Makes the followed requests those of the network among `all`. */
  update(all: Entries): void {
    const before = this.#entries
    this.#entries = new Map([...all].filter(([, { request }]) => request.terms.network === this.network))
    const removed = [...before.keys()].filter((address) => !this.#entries.has(address))
    this.#watched.delete(removed)
    for (const address of removed) this.#counted.delete(address)
    this.#watched.add(this.#entries.keys())
    if (this.#entries.size > before.size) this.#added$.next()
  }

  /** What is unknown from now on is stale. */
  interrupt(part?: 'mempool' | 'chain'): void {
    for (const { request } of this.#entries.values()) request.dispatch({ type: 'interrupted', part })
  }

  /** Follows until it is unsubscribed. Never errors, emits nothing. */
  readonly followed$ = (): Observable<never> => {
    const { session$, platform } = this.deps
    const isOffline$ = merge(
      session$.pipe(filter((session) => session === null)),
      platform.online$.pipe(filter((isOnline) => !isOnline)),
    )
    const set = { watched: this.#watched, counted: this.#counted, onFailure: () => this.interrupt('chain') }
    return merge(
      consume$(isOffline$, () => this.interrupt()),
      consume$(followTransfers$(this.deps, set), (step) => this.#applyStep(step)),
      consume$(this.#looks$(), (look) => this.#applyLook(look)),
    )
  }

  #applyStep(step: TransferStep): void {
    const at = this.deps.platform.now()
    const rollback = step.rollback?.blueScore ?? null
    for (const [address, { request, startedAt }] of this.#entries) {
      if (!this.#counted.has(address)) continue
      const credits = acceptedPayments(request.terms, step, startedAt)
      request.dispatch({ type: 'chain', rollback, credits, tip: step.tip, at, isLive: step.isLive })
    }
  }

  #looks$(): Observable<Look> {
    const { session$, platform, responses$ } = this.deps
    const addressOf = createAddressOfScript(this.network)
    const sent$ = responses$.pipe(filter((method) => method.startsWith('submitTransaction')))
    const due$ = timer(0, LOOK_INTERVAL, platform.scheduler).pipe(
      filter((count) => count % IDLE_LOOKS === 0 || !this.#isConfirmed()),
    )
    return session$.pipe(
      switchMap((session) => (session === null ? EMPTY : merge(due$, this.#added$, sent$))),
      throttleTime(MIN_INTERVAL, platform.scheduler, { leading: true, trailing: true }),
      exhaustMap(() => {
        const [entries, at] = [this.#entries, platform.now()]
        return lookAtMempool$(this.deps, [...entries.keys()], addressOf).pipe(map((found) => ({ entries, at, found })))
      }),
    )
  }

  #isConfirmed(): boolean {
    return [...this.#entries.values()].every(({ request }) => request.state().status === 'confirmed')
  }

  #applyLook({ entries, at, found }: Look): void {
    if (found === null) {
      this.interrupt('mempool')
      return
    }
    for (const { request } of entries.values()) {
      const outputs = pendingPayments(request.terms, found.transactions, this.#filter)
      request.dispatch({ type: 'mempool', outputs, at, sink: found.sink })
    }
  }
}

/** A look for the requests of its beginning. */
interface Look {
  readonly entries: Entries
  /** Unix ms. */
  readonly at: number
  readonly found: MempoolContent | null
}
