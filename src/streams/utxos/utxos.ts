import { finalize, ignoreElements, merge, share, takeUntil, tap, timer } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainLogger } from '../../platform/port.js'
import type { FollowedAddresses } from '../addresses.js'
import type { NodeLink } from '../session/node-link.js'
import { createUtxoSets } from './utxo-sets.js'
import { followSession$ } from './follow-session.js'
import { RETENTION, createTrackedAddresses } from './tracked-addresses.js'
import type { Sync, SyncDeps } from './sync.js'
import { createTracker, type TrackerDeps } from './tracker.js'
import { createRequests } from './requests.js'
import type { UtxoTracker, UtxoOptions } from './state.js'
import { createTicks } from './ticks.js'

/** UTXO tracking: one subscription and one UTXO set per address, shared by all trackers. */
export interface Utxos {
  /**
   * A tracker for addresses or an account, which may change. They are tracked while `state$` has subscribers. Throws `ChainError`
   * (`invalid-argument`) for an option that is negative or of another type.
   */
  readonly tracker: (addresses: FollowedAddresses, options?: UtxoOptions) => UtxoTracker
}

export interface UtxosDeps
  extends
    SyncDeps,
    Pick<NodeLink, 'acquire'>,
    Omit<TrackerDeps, 'utxoSets' | 'tracked' | 'requests' | 'ticks' | 'sync$'> {
  /** Loaded when the first tracker is subscribed to. */
  readonly sync: Sync
  readonly logger: ChainLogger
}

/** Entries of a report that are logged. */
const MAX_LOGGED = 10

export function createUtxos(deps: UtxosDeps): Utxos {
  const { network$, ended$, platform, logger } = deps
  const utxoSets = createUtxoSets(platform.random() * 2 ** 32, (address, invalid) =>
    logger.warn('The node reported UTXO entries that are not valid; they are not used', {
      address,
      count: invalid.length,
      entries: invalid.slice(0, MAX_LOGGED),
    }),
  )
  const tracked = createTrackedAddresses(utxoSets, deps)
  const requests = createRequests()
  const ticks = createTicks((ms) => requests.ticked$.next(ms), platform.scheduler)
  const networkSwitches$ = network$.pipe(
    tap((network) => tracked.switchTo(network)), // a tracker may have switched already
    ignoreElements(),
  )
  const sync$ = merge(
    networkSwitches$,
    followSession$(utxoSets, requests, deps),
    deps.sync(utxoSets, requests, deps),
    tracked.removals$,
  ).pipe(
    finalize(tracked.removeAll),
    takeUntil(ended$),
    // Outlives the last tracker, so that one created soon after finds the UTXO sets.
    share({ resetOnRefCountZero: () => timer(2 * RETENTION, platform.scheduler) }),
  )
  return {
    tracker: (addresses, options = {}) => {
      checkOptions(options)
      return createTracker(addresses, options, { ...deps, utxoSets, tracked, requests, ticks, sync$ })
    },
  }
}

function checkOptions({ mempoolInterval = 0, coinbaseMaturity = 0n }: UtxoOptions): void {
  const given = [
    ['mempoolInterval', mempoolInterval, 'number'],
    ['coinbaseMaturity', coinbaseMaturity, 'bigint'],
  ] as const
  for (const [name, value, type] of given) {
    if (typeof value !== type || !(value >= 0))
      throw invalidArgument(name, `"${name}" is ${value}: give a ${type} from 0`)
  }
}
