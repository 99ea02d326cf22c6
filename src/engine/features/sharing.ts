import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs'
import { canShare } from '../../platform/can-share.js'
import type { CoreParts } from '../core-parts.js'
import type { ChainEngineOptions } from '../options.js'

/**
 * Why tabs share less than the options say. `off`: not requested. `unsupported`: no Web Locks or IndexedDB here.
 * `storage-failed`: the database could not be written at last; the next payment tries again. `blocked`,
 * `unresponsive`: of a shared connection.
 */
export type SharingReason = 'off' | 'unsupported' | 'blocked' | 'unresponsive' | 'storage-failed'

/** What this tab shares with the others of its origin. */
export interface SharingState {
  /** `shared`: UTXOs that one tab has reserved are reserved in all. */
  readonly claims: 'shared' | 'own'
  readonly connection: 'shared' | 'own'
  /** Null where everything is shared that the options say. */
  readonly reason: SharingReason | null
}

/** What tabs share. No fault of it is an error of the app: the tab goes on alone, and says so here. */
export interface Sharing {
  /** Hot; replays the current state, emits only changes, never errors, completes with the engine. */
  readonly state$: Observable<SharingState>
}

/** The option `shared` with its defaults; null where nothing is shared. */
export interface SharedSettings {
  readonly name: string
}

/** For the modules that share. */
export interface SharingParts extends Sharing {
  /** Null where claims are not shared. */
  readonly claims: SharedSettings | null
  /** Notes whether claims could be stored at last. */
  readonly claimed: (isStored: boolean) => void
}

/** What the tabs of an engine share, by its options: the code that shares is loaded with that of payments, where on. */
export function sharing(core: CoreParts): SharingParts {
  const claims = toSettings(core.options)
  const isSupported = core.platform.tabs === undefined ? canShare() : core.platform.tabs !== null
  const state$ = new BehaviorSubject(toState(claims === null ? 'off' : isSupported ? null : 'unsupported'))
  core.lifetime.add(() => state$.complete())
  return {
    state$: state$.pipe(distinctUntilChanged((a, b) => a.reason === b.reason)),
    claims: isSupported ? claims : null,
    claimed: (isStored) => state$.next(toState(isStored ? null : 'storage-failed')),
  }
}

function toSettings({ shared = false }: Pick<ChainEngineOptions, 'shared'>): SharedSettings | null {
  if (shared === false) return null
  const { name = 'vue-chain', claims = true } = shared === true ? {} : shared
  return claims ? { name } : null
}

const toState = (reason: SharingReason | null): SharingState => ({
  claims: reason === null ? 'shared' : 'own',
  connection: 'own',
  reason,
})
