import type { ChainEngineOptions } from './options.js'
import type { Observable, Subscription } from 'rxjs'
import { invalidArgument } from '../errors/chain-error.js'
import type { ChainNetwork } from '../model/network.js'
import type { KeyOperations } from '../operations/keys/keys.js'
import type { NodeLink } from '../streams/session/node-link.js'
import type { Wasm } from '../streams/wasm.js'
import type { ConnectionControl } from './connection-control.js'
import type { Probe } from './recorder/probe.js'
import type { ResolvedOptions } from './resolve-options.js'
import type { SharedConnectionState } from './shared-connection/connection-sharing.js'

/** The key of a core's parts, on cores and engines. `Symbol.for` makes it equal across two copies of this module. */
export const PARTS: unique symbol = /*#__PURE__*/ Symbol.for('vue-chain parts')

/**
 * The part of an engine that all features use: the node connection and the WASM module. What it can do is reached by
 * features: `feature(core, connection).connect()`.
 */
export interface ChainCore {
  /** The current options with defaults: a change of the network changes network and endpoints. */
  readonly options: ChainEngineOptions
  /**
   * Closes the socket, stops every timer, completes every stream. Safe to call twice. Where a teardown throws, the
   * others still run, and it rejects with `ChainError`, whose `cause` holds all failures.
   */
  dispose(): Promise<void>
  /** For the library's own modules. */
  readonly [PARTS]: unknown
}

/**
 * A core with its parts, which only the library's own modules use. Everything else of an engine is created with
 * `feature`.
 */
export interface CoreParts extends ChainCore, Omit<NodeLink, 'connector' | 'dispose'> {
  readonly options: ResolvedOptions
  readonly connection: ConnectionControl
  /** Whether the connection is that of all tabs. Replays. */
  readonly connectionSharing$: Observable<SharedConnectionState>
  readonly wasm: Wasm
  /** Operations on keys with the loaded SDK. Throws `ChainNotReadyError` with `operation` until WASM is ready. */
  readonly makeKeys: (operation: string) => KeyOperations
  /**
   * Changes the network of the engine and resets UTXO sets and cursors. Where a connection was requested, connects to
   * the new network, then resolves and rejects as `connect` does. `url` and `urls` of the options are dropped.
   */
  switchNetwork(network: ChainNetwork, options?: { readonly url?: string | undefined }): Promise<void>
  /** Reports to the option `recorder`; undefined without one. */
  readonly probe: Probe | undefined
  /** Created features by factory. */
  readonly features: Map<unknown, unknown>
  /** Unsubscribed with the engine; features add their teardown to it. */
  readonly lifetime: Subscription
}

/** The parts of a core or an engine. Throws `ChainError` (`invalid-argument`) for any other object. */
export function partsOf(from: object): CoreParts {
  const parts = PARTS in from ? from[PARTS] : undefined
  if (isParts(parts)) return parts
  throw invalidArgument('core', 'This is no core and no engine of vue-chain')
}

const isParts = (value: unknown): value is CoreParts =>
  typeof value === 'object' && value !== null && 'features' in value && 'lifetime' in value

/**
 * The feature that `create` returns for `core`: created at the first call, the same object afterwards.
 * Unused features are not bundled.
 */
export function feature<Feature>(core: ChainCore, create: (core: CoreParts) => Feature): Feature {
  const parts = partsOf(core)
  if (!parts.features.has(create)) parts.features.set(create, create(parts))
  return parts.features.get(create) as Feature // the value under `create` is its result
}

/** The same for apps: features of theirs do not see a core's parts. */
export const publicFeature = <Feature>(core: ChainCore, create: (core: ChainCore) => Feature): Feature =>
  feature(core, create)

/** A feature that was created before; undefined otherwise, so that displaying it creates nothing. */
export const existingFeature = <Feature>(core: ChainCore, create: (core: CoreParts) => Feature): Feature | undefined =>
  partsOf(core).features.get(create) as Feature | undefined // as above
