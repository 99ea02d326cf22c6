import {
  BehaviorSubject,
  auditTime,
  catchError,
  combineLatest,
  defer,
  finalize,
  ignoreElements,
  map,
  merge,
  of,
  tap,
  type Observable,
} from 'rxjs'
import { ChainError } from '../../../errors/chain-error.js'
import { NETWORKS, type ChainNetwork } from '../../../model/network.js'
import type { ConnectionState } from '../../connection/state.js'
import type { Scores } from '../../scores.js'
import type { NodeLink } from '../../session/node-link.js'
import { addressError } from '../../session/address-errors.js'
import type { UtxoSets } from '../store/store.js'
import type { TrackedAddresses } from '../sync/tracked-addresses.js'
import type { SyncCommands, Ticks } from '../sync/commands.js'
import type { UtxoOptions } from './state.js'
import type { TrackerContext } from './state-parts.js'
import type { CurrentEffects } from '../unconfirmed/effects.js'
import type { Unconfirmed } from '../unconfirmed/unconfirmed.js'
import { createView, type View } from './view.js'

const MEMPOOL_INTERVAL = 10_000

export interface ViewDeps extends Pick<NodeLink, 'serverInfo$' | 'platform'>, Pick<Scores, 'virtualDaaScore$'> {
  readonly connection: { readonly state$: Observable<ConnectionState> }
  readonly utxoSets: UtxoSets
  readonly unconfirmed: Pick<Unconfirmed, 'changed$'>
  readonly effects: CurrentEffects
  readonly tracked: TrackedAddresses
  readonly commands$: SyncCommands
  readonly ticks: Ticks
  /** Syncs the UTXO sets while subscribed to. */
  readonly sync$: Observable<never>
}

/** The state of some addresses on one network, read from a view, at most once per frame. Never errors. */
export function view$<State>(
  addresses$: Observable<readonly string[]>,
  network: ChainNetwork,
  { coinbaseMaturity = NETWORKS[network].coinbaseMaturity, mempoolInterval = MEMPOOL_INTERVAL }: UtxoOptions,
  deps: ViewDeps,
  read: (view: View) => State,
): Observable<State> {
  return defer(() => {
    // before any set is acquired, so that no entries of the previous network are emitted
    deps.tracked.switchTo(network)
    const view = createView(deps.utxoSets, deps.effects, { coinbaseMaturity, mempoolInterval })
    const addressError$ = new BehaviorSubject<ChainError | null>(null)

    const track = (addresses: readonly string[]): void => {
      const accepted = new Set<string>()
      let firstError: ChainError | null = null
      for (const address of addresses) {
        // a wallet that derives addresses emits all of them with each new one
        const error = view.addressSets.has(address) ? undefined : addressError(address, network, null)
        if (error === undefined) accepted.add(address)
        else firstError ??= error
      }
      addressError$.next(firstError)
      trackOnly(view, accepted, deps.tracked)
      deps.commands$.next({ type: 'track' })
    }
    const fail = (cause: unknown): Observable<never> => {
      addressError$.next(
        new ChainError('The stream of addresses to track has failed', { cause, argument: 'addresses' }),
      )
      return addressError$.pipe(ignoreElements())
    }
    const inputs$ = merge(
      deps.sync$,
      contextInputs$(view, addressError$, deps),
      deps.ticks(mempoolInterval),
      view.ahead$.pipe(tap(() => deps.commands$.next({ type: 'requestScore' }))),
      addresses$.pipe(tap(track), catchError(fail)),
    )
    // last, because a subscriber may cause a change synchronously
    const states$ = merge(view.changed$.pipe(auditTime(0, deps.platform.frames)), of(undefined)).pipe(
      map(() => read(view)),
    )
    return merge(inputs$.pipe(ignoreElements()), states$).pipe(
      finalize(() => view.close().forEach((addressSet) => deps.tracked.release(addressSet))),
    )
  })
}

/** Makes a view track exactly these addresses. */
function trackOnly(view: View, addresses: ReadonlySet<string>, tracked: TrackedAddresses): void {
  const unwanted = [...view.addressSets.values()].filter(({ address }) => !addresses.has(address))
  for (const addressSet of unwanted) {
    view.remove(addressSet)
    tracked.release(addressSet)
  }
  for (const address of addresses) if (!view.addressSets.has(address)) view.add(tracked.acquire(address))
}

/** DAA score, unconfirmed transactions, and the node's sync state. */
const contextInputs$ = (
  view: View,
  addressError$: Observable<ChainError | null>,
  deps: ViewDeps,
): Observable<unknown> =>
  merge(
    deps.virtualDaaScore$.pipe(tap((score) => view.setScore(score))),
    deps.unconfirmed.changed$.pipe(tap(() => view.onUnconfirmed())),
    combineLatest([deps.serverInfo$, addressError$, deps.connection.state$]).pipe(
      map(([facts, addressError, { error }]): TrackerContext => {
        const node = (facts?.isSynced ?? true) ? 'synced' : 'syncing'
        return { node, addressError, connectionError: error }
      }),
      tap((context) => view.setContext(context)),
    ),
  )
