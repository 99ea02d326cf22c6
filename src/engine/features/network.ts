import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { EventStreams } from '../../streams/session/node-link.js'
import type { ServerState } from '../../streams/session/server-state.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'

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
