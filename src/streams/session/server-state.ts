/**
 * The health of a connected node:
 * - `unknown`: not requested yet. `healthy`: no problem found.
 * - `not-synced`: still syncing with its network. `lagging`: its DAA score has not changed for a minute.
 * - `no-utxo-index`: it runs without the index, so it serves no balances and UTXOs.
 */
export type NodeHealth = 'unknown' | 'healthy' | 'not-synced' | 'lagging' | 'no-utxo-index'

/** The latest state of the node; all null before the first handshake. */
export interface ServerState {
  readonly serverVersion: string | null
  readonly networkId: string | null
  /** False while unknown. */
  readonly isSynced: boolean
  readonly hasUtxoIndex: boolean | null
  readonly health: NodeHealth
  /** What to do about an unhealthy node; null if nothing. */
  readonly remedy: string | null
}
