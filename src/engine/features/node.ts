import { type ChainCore, partsOf } from '../core-parts.js'
import type { ConnectionControl } from '../connection-control.js'
import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { EventStreams } from '../../streams/session/node-link.js'
import type { ServerState } from '../../streams/session/server-state.js'
import { createScores, type Scores } from '../../streams/scores.js'

/** The connection to a node: its state, and the methods that change it. */
export const connection = (core: ChainCore): ConnectionControl => partsOf(core).connection

/** The network of a core, its node's state and its node's events. */
export interface NetworkControl {
  /** The requested network. Hot and shared; replays, emits only changes. */
  readonly network$: Observable<ChainNetwork>
  /** As `server$` of an engine. */
  readonly server$: Observable<ServerState>
  /** As `events$` of an engine. */
  readonly events$: EventStreams
  /**
   * Changes the network and resets UTXO sets and cursors. Where a connection was requested, connects to the new
   * network, then resolves and rejects as `connect` does. `url` and `urls` of the options are dropped.
   */
  switchNetwork(network: ChainNetwork, options?: { readonly url?: string | undefined }): Promise<void>
}

export function network(core: ChainCore): NetworkControl {
  const parts = partsOf(core)
  const { network$, server$, events$ } = parts
  return { network$, server$, events$, switchNetwork: (to, options) => parts.switchNetwork(to, options) }
}

/** The virtual DAA score and the sink's blue score. */
export const scores = (core: ChainCore): Scores => createScores(partsOf(core))
