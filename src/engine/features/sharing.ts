import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs'
import { loadCode } from '../../loading/load-code.js'
import { DEFAULT_MAX_AGE } from '../../model/last-state/max-age.js'
import { canShare } from '../../platform/can-share.js'
import { type CoreParts, feature } from '../core-parts.js'
import type { ChainEngineOptions } from '../options.js'
import { sharedOptions, type SharedConnectionState } from '../shared-connection/connection-sharing.js'
import type { LastStates } from '../last-state/last-states.js'

/**
 * Why tabs share less than the options say. `off`: not requested. `unsupported`: no Web Locks, IndexedDB or
 * `SharedWorker` here. `storage-failed`: the database could not be written at last; the next payment, or the next
 * change of a balance, tries again, but not where the storage was full.
 * `blocked`: the shared worker could not be loaded, for example because of the Content-Security-Policy, or its code.
 * `unresponsive`: it did not respond within 2 s; tried again after a minute.
 */
export type SharingReason = 'off' | 'unsupported' | 'blocked' | 'unresponsive' | 'storage-failed'

/** What this tab shares with the others of its origin. */
export interface SharingState {
  /** `shared`: UTXOs that one tab has reserved are reserved in all. */
  readonly claims: 'shared' | 'own'
  /** `shared`: the socket of all tabs; `own` also before the first connection. */
  readonly connection: 'shared' | 'own'
  /** How many tabs have the connection; null with an own one. */
  readonly tabs: number | null
  /** Null where everything is shared that the options say. */
  readonly reason: SharingReason | null
}

/** What tabs share. No fault of it is an error of the app: the tab goes on alone, and says so here. */
export interface Sharing {
  /** Hot; replays the current state, emits only changes, never errors, completes with the engine. */
  readonly state$: Observable<SharingState>
  /**
   * Deletes the balances and UTXO sets that the option `shared.state` has stored, of all networks, and resolves when
   * they are deleted: for log-out. Other tabs delete theirs. What is followed now is not stored again until its
   * addresses have changed to none, or it has had no subscriber. Claims stay: they protect money. Rejects with
   * `ChainError` where the browser does not delete them.
   */
  readonly forget: () => Promise<void>
}

/** The option `shared` with its defaults; null where claims are not shared. */
interface SharedSettings {
  readonly name: string
}

/** The option `shared.state` with its defaults. */
interface LastStateSettings extends SharedSettings {
  /** Ms. */
  readonly maxAge: number
}

/** For the modules that share. */
interface SharingParts extends Sharing {
  /** Null where claims are not shared. */
  readonly claims: SharedSettings | null
  /** Notes whether claims could be stored at last. */
  readonly claimed: (isStored: boolean) => void
  /** Null where no state is stored. */
  readonly lastState: LastStateSettings | null
  /** Notes whether the state could be stored at last. */
  readonly stored: (isStored: boolean) => void
}

/** What the tabs of an engine share, by its options: the code that shares is loaded with what it shares. */
export function sharing(core: CoreParts): SharingParts {
  const claims = toSettings(core.options)
  const lastState = toLastStateSettings(core.options)
  const isSupported = core.platform.tabs === undefined ? canShare() : core.platform.tabs !== null
  const claimsReason$ = new BehaviorSubject<SharingReason | null>(
    claims === null ? 'off' : isSupported ? null : 'unsupported',
  )
  const stateReason$ = new BehaviorSubject<SharingReason | null>(
    lastState === null ? 'off' : isSupported ? null : 'unsupported',
  )
  const state$ = new BehaviorSubject<SharingState>(NOT_SHARED)
  core.lifetime.add(
    combineLatest([claimsReason$, stateReason$, core.connectionSharing$])
      .pipe(
        map(([claimsReason, stateReason, connection]) => toState(claimsReason, stateReason, connection)),
        distinctUntilChanged(isSame),
      )
      .subscribe(state$),
  )
  core.lifetime.add(() => state$.complete())
  return {
    state$: state$.asObservable(),
    forget: async () => {
      if (!isSupported) return
      const { forget } = await loadCode(() => import('../last-state/forget.js'))
      await forget(core, sharedName(core.options), feature(core, openedStates).current)
    },
    lastState: isSupported ? lastState : null,
    stored: (isStored) => stateReason$.next(isStored ? null : 'storage-failed'),
    claims: isSupported ? claims : null,
    claimed: (isStored) => claimsReason$.next(isStored ? null : 'storage-failed'),
  }
}

/** Where nothing is shared. */
export const NOT_SHARED: SharingState = { claims: 'own', connection: 'own', tabs: null, reason: 'off' }

function toSettings(options: ChainEngineOptions): SharedSettings | null {
  const { claims = true } = sharedOptions(options) ?? { claims: false }
  return claims ? { name: sharedName(options) } : null
}

function toLastStateSettings(options: ChainEngineOptions): LastStateSettings | null {
  const { state = false } = sharedOptions(options) ?? {}
  if (state === false) return null
  return { name: sharedName(options), maxAge: (state === true ? undefined : state.maxAge) ?? DEFAULT_MAX_AGE }
}

const sharedName = (options: ChainEngineOptions): string => sharedOptions(options)?.name ?? 'vue-chain'

function toState(
  claims: SharingReason | null,
  lastState: SharingReason | null,
  connection: SharedConnectionState,
): SharingState {
  return {
    claims: claims === null ? 'shared' : 'own',
    connection: connection.connection,
    tabs: connection.connection === 'shared' ? connection.tabs : null,
    reason:
      claims === 'off' && lastState === 'off' && isOff(connection)
        ? 'off'
        : (missing(claims) ?? missing(lastState) ?? missing(faultOf(connection))),
  }
}

const isOff = (state: SharedConnectionState): boolean => faultOf(state) === 'off'

const faultOf = (state: SharedConnectionState) => (state.connection === 'own' ? state.fault : null)

/** Only what the options say can be missing. */
const missing = (reason: SharingReason | 'ready' | null): SharingReason | null =>
  reason === 'off' || reason === 'ready' ? null : reason

const isSame = (a: SharingState, b: SharingState): boolean =>
  a.claims === b.claims && a.connection === b.connection && a.tabs === b.tabs && a.reason === b.reason

/** The last states of a core, once their code was loaded. */
export const openedStates = (): { current: LastStates | undefined } => ({ current: undefined })
