/**
 * How far a connected node can be trusted:
 * - `unknown`: it has not been asked yet. `healthy`: nothing to complain of.
 * - `not-synced`: it is still catching up with its network. `lagging`: its DAA score stands still while time passes.
 * - `no-utxo-index`: it runs without the index, so nobody can ask it for balances or UTXOs.
 */
export type NodeHealth = 'unknown' | 'healthy' | 'not-synced' | 'lagging' | 'no-utxo-index'

/** The node at the other end, as it last said; all null before the first handshake. */
export interface ServerState {
  readonly serverVersion: string | null
  readonly networkId: string | null
  /** False while unknown. */
  readonly isSynced: boolean
  readonly hasUtxoIndex: boolean | null
  readonly health: NodeHealth
  /** What to do about a node that is not healthy, in words; null where nothing is to be done. */
  readonly remedy: string | null
}
