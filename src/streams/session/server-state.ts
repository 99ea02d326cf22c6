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

/** The information of a session's node. */
export interface ServerInfo {
  readonly serverVersion: string
  readonly networkId: string
  readonly isSynced: boolean
  readonly hasUtxoIndex: boolean
  readonly virtualDaaScore: bigint
  /** Unix ms of the last change of the DAA score, or of its first value. */
  readonly daaScoreChangedAt: number
}

/** Ms without a change of a synced node's DAA score until it is lagging. The network creates ten blocks per second. */
export const LAG_AFTER = 60_000

const REMEDIES: Readonly<Record<NodeHealth, string | null>> = {
  unknown: null,
  healthy: null,
  'not-synced': 'The node is still syncing with its network. Wait, or set another url.',
  lagging: 'The node no longer follows its network. Check its peers, or set another url.',
  'no-utxo-index': 'Run the node with --utxoindex, or set url to such a node.',
}

/** The state before the first handshake. */
export const UNKNOWN_SERVER: ServerState = {
  serverVersion: null,
  networkId: null,
  isSynced: false,
  hasUtxoIndex: null,
  health: 'unknown',
  remedy: null,
}

/** The public state of a node. */
export function toServerState(info: ServerInfo, now: number): ServerState {
  const { serverVersion, networkId, isSynced, hasUtxoIndex } = info
  const health = toHealth(info, now)
  return { serverVersion, networkId, isSynced, hasUtxoIndex, health, remedy: REMEDIES[health] }
}

/** The most severe condition of a node. */
function toHealth({ isSynced, hasUtxoIndex, daaScoreChangedAt }: ServerInfo, now: number): NodeHealth {
  if (!isSynced) return 'not-synced'
  if (now - daaScoreChangedAt >= LAG_AFTER) return 'lagging'
  return hasUtxoIndex ? 'healthy' : 'no-utxo-index'
}

/** Whether two states are equal. */
export const isSameServer = (a: ServerState, b: ServerState): boolean =>
  a.serverVersion === b.serverVersion &&
  a.networkId === b.networkId &&
  a.isSynced === b.isSynced &&
  a.hasUtxoIndex === b.hasUtxoIndex &&
  a.health === b.health
