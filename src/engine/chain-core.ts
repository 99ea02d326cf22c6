import type { ChainEngineOptions } from './options.js'

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
