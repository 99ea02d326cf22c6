import type { RpcResponse } from '../../node/messages/records.js'
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

/** What the node said of itself first. */
export function toServerFacts(info: RpcResponse<'getServerInfo'>, now: number): ServerFacts {
  const { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore } = info
  return { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore, movedAt: now }
}

/** What is known after the node has said it again; the very same object where it said nothing new. */
export function updateFacts(facts: ServerFacts, info: RpcResponse<'getServerInfo'>, now: number): ServerFacts {
  const next = moveTo(facts, info.virtualDaaScore, now)
  return next.isSynced === info.isSynced && next.hasUtxoIndex === info.hasUtxoIndex
    ? next
    : { ...next, isSynced: info.isSynced, hasUtxoIndex: info.hasUtxoIndex }
}

/** What is known after the DAA score has been heard of. A clock that was set back makes it stand still from then on. */
export function moveTo(facts: ServerFacts, virtualDaaScore: bigint, now: number): ServerFacts {
  if (facts.virtualDaaScore === virtualDaaScore && facts.movedAt <= now) return facts
  const { serverVersion, networkId, isSynced, hasUtxoIndex } = facts // one by one: a spread takes longer than all the rest
  return { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore, movedAt: now }
}

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
