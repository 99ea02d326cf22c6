import type { NodeHealth, ServerState } from './server-state.js'

/** What the node of a session is known to be. */
export interface ServerFacts {
  readonly serverVersion: string
  readonly networkId: string
  readonly isSynced: boolean
  readonly hasUtxoIndex: boolean
  readonly virtualDaaScore: bigint
  /** Unix ms when the DAA score was last seen to move, or first seen. */
  readonly movedAt: number
}

/** How long, in ms, a synced node's DAA score may stand still before it lags. Networks make ten blocks a second. */
export const LAG_AFTER = 60_000

const REMEDIES: Readonly<Record<NodeHealth, string | null>> = {
  unknown: null,
  healthy: null,
  'not-synced': 'The node is still catching up with its network. Wait, or give another url.',
  lagging: 'The node no longer follows its network. Check its peers, or give another url.',
  'no-utxo-index': 'Run the node with --utxoindex, or give the url of one that does.',
}

/** The node before anyone has spoken to it. */
export const UNKNOWN_SERVER: ServerState = {
  serverVersion: null,
  networkId: null,
  isSynced: false,
  hasUtxoIndex: null,
  health: 'unknown',
  remedy: null,
}

/** The node as everybody may see it. */
export function toServerState(facts: ServerFacts, now: number): ServerState {
  const { serverVersion, networkId, isSynced, hasUtxoIndex } = facts
  const health = toHealth(facts, now)
  return { serverVersion, networkId, isSynced, hasUtxoIndex, health, remedy: REMEDIES[health] }
}

/** What is worst about a node. */
function toHealth({ isSynced, hasUtxoIndex, movedAt }: ServerFacts, now: number): NodeHealth {
  if (!isSynced) return 'not-synced'
  if (now - movedAt >= LAG_AFTER) return 'lagging'
  return hasUtxoIndex ? 'healthy' : 'no-utxo-index'
}

/** Whether two states say the same of a node. */
export const isSameServer = (a: ServerState, b: ServerState): boolean =>
  a.serverVersion === b.serverVersion &&
  a.networkId === b.networkId &&
  a.isSynced === b.isSynced &&
  a.hasUtxoIndex === b.hasUtxoIndex &&
  a.health === b.health
