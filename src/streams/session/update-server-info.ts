import type { RpcResponse } from '../../node/messages/records.js'
import type { ServerInfo } from './server-info.js'

/** The initial information, from the handshake. */
export function toServerInfo(info: RpcResponse<'getServerInfo'>, now: number): ServerInfo {
  const { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore } = info
  return { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore, daaScoreChangedAt: now }
}

/** Applies a later response; the same object if nothing changed. */
export function updateServerInfo(current: ServerInfo, info: RpcResponse<'getServerInfo'>, now: number): ServerInfo {
  const next = updateDaaScore(current, info.virtualDaaScore, now)
  const { isSynced, hasUtxoIndex, networkId } = info
  return next.isSynced === isSynced && next.hasUtxoIndex === hasUtxoIndex && next.networkId === networkId
    ? next
    : { ...next, isSynced, hasUtxoIndex, networkId }
}

/** Applies a DAA score. After a clock was set back, an unchanged score counts as changed now. */
export function updateDaaScore(current: ServerInfo, virtualDaaScore: bigint, now: number): ServerInfo {
  if (current.virtualDaaScore === virtualDaaScore && current.daaScoreChangedAt <= now) return current
  // no spread: it is slower than everything else here
  const { serverVersion, networkId, isSynced, hasUtxoIndex } = current
  return { serverVersion, networkId, isSynced, hasUtxoIndex, virtualDaaScore, daaScoreChangedAt: now }
}
