import {
  Subject,
  finalize,
  ignoreElements,
  merge,
  share,
  takeUntil,
  tap,
  timer,
  type Observable,
  EMPTY,
  defer,
  distinctUntilChanged,
  filter,
  map,
} from 'rxjs'
import type { ChainLogger } from '../../platform/port.js'
import type { NodeLink } from '../session/node-link.js'
import type { FollowBalances, FollowUtxos } from './view/state.js'
import { createUtxoSets, type AddressSet, type UtxoSets } from './store/store.js'
import { RETENTION, createTrackedAddresses } from './sync/tracked-addresses.js'
import { sync$ as syncSets$, type SyncDeps } from './sync/sync.js'
import { createBalances$, createTracker, type TrackerDeps } from './view/tracker.js'
import { createTicks, refetch, type SyncCommand } from './sync/commands.js'
import { createCurrentEffects } from './unconfirmed/effects.js'
import type { Unconfirmed } from './unconfirmed/unconfirmed.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { Outpoint } from '../../model/utxo.js'
import { isCounted } from './unconfirmed/record.js'
import type { UnconfirmedRecords } from './unconfirmed/records.js'

/** UTXO tracking: one subscription and one UTXO set per address, shared by all trackers. */
export interface Utxos {
  readonly tracker: FollowUtxos
  readonly balances$: FollowBalances
  /** Whether an input of an own payment is spent; see `isSpent$`. */
  readonly isSpent$: (transactionId: string) => Observable<boolean>
  /** The shared sets, to observe them. */
  readonly sets: Pick<UtxoSets, 'all' | 'applied$'>
  /** Fetches the UTXOs of some sets, and the mempool, again. */
  readonly refetch: (addressSets: readonly AddressSet[]) => void
}

interface UtxosDeps
  extends
    Omit<SyncDeps, 'effects' | 'unconfirmed'>,
    Pick<NodeLink, 'acquire' | 'network'>,
    Omit<TrackerDeps, 'unconfirmed' | 'utxoSets' | 'effects' | 'tracked' | 'commands$' | 'ticks' | 'sync$'> {
  readonly unconfirmed: Unconfirmed
  readonly logger: ChainLogger
}

/** Entries of a report that are logged. */
const MAX_LOGGED = 10

export function createUtxos(deps: UtxosDeps): Utxos {
  const { network$, ended$, platform, logger } = deps
  const utxoSets = createUtxoSets({
    seed: platform.random() * 2 ** 32,
    onInvalid: (address, invalid) =>
      logger.warn('The node reported UTXO entries that are not valid; they are not used', {
        address,
        count: invalid.length,
        entries: invalid.slice(0, MAX_LOGGED),
      }),
  })
  const effects = createCurrentEffects(deps.unconfirmed.records, utxoSets)
  const commands$ = new Subject<SyncCommand>()
  const tracked = createTrackedAddresses(utxoSets, commands$, deps)
  const ticks = createTicks(commands$, platform.scheduler)
  const networkSwitches$ = network$.pipe(
    tap((network) => tracked.switchTo(network)), // a tracker may have switched already
    ignoreElements(),
  )
  const sync$ = merge(networkSwitches$, syncSets$(utxoSets, commands$, { ...deps, effects }), tracked.removals$).pipe(
    finalize(tracked.removeAll),
    takeUntil(ended$),
    // Outlives the last tracker, so that one created soon after finds the UTXO sets.
    share({ resetOnRefCountZero: () => timer(2 * RETENTION, platform.scheduler) }),
  )
  const trackerDeps = { ...deps, utxoSets, effects, tracked, commands$, ticks, sync$ }
  return {
    tracker: (addresses, options = {}) => createTracker(addresses, options, trackerDeps),
    balances$: (addresses, options = {}) => createBalances$(addresses, options, trackerDeps),
    isSpent$: (transactionId) => isSpent$(transactionId, trackerDeps),
    sets: utxoSets,
    refetch: (addressSets) => refetch(commands$, addressSets),
  }
}

type SpentInputsDeps = TrackerDeps & {
  readonly unconfirmed: { readonly records: UnconfirmedRecords }
  readonly network: () => ChainNetwork
}

/**
 * Whether the UTXO index lacks an input of an own payment, apart from outputs of transactions that are not accepted
 * either. Tracks the addresses of the inputs; emits only changes, and only while the index is up to date. Completes at
 * once for another transaction.
 */
const isSpent$ = (id: string, deps: SpentInputsDeps): Observable<boolean> =>
  defer(() => {
    const { records } = deps.unconfirmed
    const inputs = inputsOf(id, records, deps.network())
    if (inputs.length === 0) return EMPTY
    const addresses = [...new Set(inputs.map(({ address }) => address))]
    const isMissing = ({ address, outpoint }: OwnInput): boolean => {
      const parent = records.all.get(outpoint.transactionId)
      const isKnown = deps.utxoSets.all.get(address)?.entries.get(outpoint) !== undefined
      return !isKnown && !(parent !== undefined && isCounted(parent))
    }
    return createTracker(addresses, { mempoolInterval: 0 }, deps).state$.pipe(
      filter(({ freshness }) => freshness === 'fresh'),
      map(() => inputs.some(isMissing)),
      distinctUntilChanged(),
    )
  })

interface OwnInput {
  readonly outpoint: Outpoint
  readonly address: string
}

function inputsOf(id: string, { all }: UnconfirmedRecords, network: ChainNetwork): readonly OwnInput[] {
  const { addressPrefix } = NETWORKS[network]
  return (all.get(id)?.transaction.inputs ?? []).flatMap(({ outpoint, scriptPublicKey }) => {
    const address = scriptPublicKey === undefined ? undefined : toAddress(scriptPublicKey, addressPrefix)
    return address === undefined ? [] : [{ outpoint, address }]
  })
}
