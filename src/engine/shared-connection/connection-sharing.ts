import type { BehaviorSubject, Subscription } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import { canShare } from '../../platform/can-share.js'
import type { ConnectionSharing } from '../../wrpc/shared/shared-port.js'
import type { ChainEngineOptions, SharedOptions } from '../options.js'

/**
 * How an engine is connected. `off`: not requested. `unsupported`: no `SharedWorker`, or another node port. `ready`: it
 * has not dialled yet.
 */
export type SharedConnectionState =
  | ConnectionSharing
  | { readonly connection: 'own'; readonly fault: 'off' | 'unsupported' }

/** How the connections of an engine are shared. */
export interface SharingDeps {
  readonly state$: BehaviorSubject<SharedConnectionState>
  /** The network of the connection that is being dialled. */
  readonly network: () => ChainNetwork
  readonly lifetime: Subscription
}

/** Before the first connection. */
export function initialSharing(options: ChainEngineOptions): SharedConnectionState {
  if (sharedOptions(options)?.connection === false || !options.shared) return { connection: 'own', fault: 'off' }
  return { connection: 'own', fault: canShareConnection(options) ? 'ready' : 'unsupported' }
}

/** Whether the connection can be shared. */
export const isReady = (state: SharedConnectionState): boolean => state.connection === 'own' && state.fault === 'ready'

/** The record of the option `shared`; null where nothing is shared. */
export const sharedOptions = ({ shared = false }: Pick<ChainEngineOptions, 'shared'>): SharedOptions | null =>
  shared === true ? {} : shared === false ? null : shared

/** A replaced platform is a test, or another environment. */
const canShareConnection = ({ ports }: ChainEngineOptions): boolean =>
  ports?.node === undefined && ports?.platform === undefined && canShare() && typeof SharedWorker === 'function'
