import {
  EMPTY,
  Observable,
  defer,
  distinctUntilChanged,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  retry,
  share,
  skip,
  switchMap,
} from 'rxjs'
import { partsOf } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { toChainError } from '../errors/chain-error.js'
import { loadCode } from '../loading/load-code.js'
import { isDropped } from '../model/contracts/pending-call.js'
import { consume$ } from '../streams/consume.js'
import { shareLatest } from '../streams/share-latest.js'
import type { InstanceStore } from './instance-store.js'
import type { SnapshotOutput } from '../streams/contracts/start-rows.js'
import type { UnconfirmedCall } from './unconfirmed-calls.js'

/** Where an instance is followed from. The latest one that was given counts, where it is not followed yet. */
export interface Beginning {
  /** A block before its genesis, by hash, or the pruning point of the node. @default what the UTXO set has */
  readonly from?: string | undefined
  /** Its unspent outputs, of any source: each is verified in the UTXO set. @default the outputs of the genesis */
  readonly snapshot?: readonly SnapshotOutput[] | undefined
}

/** What keeps a store in step with chain and mempool, while it is subscribed to. Several subscribers are one. */
export interface StoreFollower {
  /** Emits nothing and never errors. */
  readonly follow$: Observable<never>
  /** The calls of the mempool. Replays; never errors. */
  readonly unconfirmed$: Observable<readonly UnconfirmedCall[]>
}

export const loadFollower = () => loadCode(() => import('./following.js'))

/** `beginning`: of the next time that the chain is followed. */
export function createStoreFollower(
  engine: ChainEngine,
  store: InstanceStore,
  beginning: () => Beginning,
): StoreFollower {
  const core = partsOf(engine)
  const mempool$ = defer(() => from(loadFollower())).pipe(
    switchMap(({ unconfirmedCalls$ }) => unconfirmedCalls$(core, store)),
    shareLatest(core.ended$),
  )
  const hasPending$ = store.state$.pipe(
    map((state) => state !== null && !state.pending.every(isDropped)),
    distinctUntilChanged(),
  )
  const own$ = hasPending$.pipe(switchMap((hasPending) => (hasPending ? mempool$.pipe(ignoreElements()) : EMPTY)))
  const isOffline$ = core.session$.pipe(filter((session) => session === null))
  const follow$ = merge(
    chain$(engine, store, beginning),
    consume$(isOffline$, () => store.interrupted(null)),
    own$,
  ).pipe(share())
  return { follow$, unconfirmed$: merge(mempool$, follow$) }
}

/** Follows the chain, and where it cannot be followed, again with the next session. */
const chain$ = (engine: ChainEngine, store: InstanceStore, beginning: () => Beginning): Observable<never> =>
  new Observable<never>((subscriber) => {
    store.interrupted(null)
    const controller = new AbortController()
    const run = async (): Promise<void> => {
      const { followInstance } = await loadFollower()
      await followInstance(engine, store, beginning(), controller.signal)
    }
    run().catch((cause: unknown) => {
      if (subscriber.closed) return
      store.interrupted(toChainError(cause, 'The instance cannot be followed'))
      subscriber.error(cause)
    })
    return () => controller.abort()
  }).pipe(retry({ delay: () => partsOf(engine).session$.pipe(skip(1), filter(Boolean)) }))
