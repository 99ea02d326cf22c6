import type { RpcResponse } from '../../node/messages/records.js'
import type { ServerFacts } from './server-facts.js'

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
