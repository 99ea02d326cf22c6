import type { NodeNotification } from '../../../node/messages/records.js'
import type { ChainState } from '../chain/chain-state.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import { virtualMoved } from '../records/events.js'
import type { UtxoDiff, UtxoSet } from '../utxo/utxo-set.js'

/** What listeners are told when the network goes back to an earlier state: the same as of a reorg. */
export function reverted(from: ChainState, to: ChainState): readonly NodeNotification[] {
  const shared = commonLength(from, to)
  return virtualMoved(to, {
    removed: [...from.chain.slice(shared)].reverse(),
    added: to.chain.slice(shared),
    coins: difference(from.coins, to.coins),
  })
}

function commonLength(from: ChainState, to: ChainState): number {
  let place = 0
  while (place < from.chain.length && place < to.chain.length && from.chain.at(place) === to.chain.at(place)) place++
  return place
}

function difference(from: UtxoSet, to: UtxoSet): UtxoDiff {
  const before = indexed(from)
  const after = indexed(to)
  return { removed: missing(before, after), added: missing(after, before) }
}

const indexed = (coins: UtxoSet): ReadonlyMap<OutpointKey, UtxoEntry> =>
  new Map([...coins.all()].map((entry) => [toOutpointKey(entry.outpoint), entry]))

/** Coins of `these` that `those` does not have, or has with another score. */
const missing = (
  these: ReadonlyMap<OutpointKey, UtxoEntry>,
  those: ReadonlyMap<OutpointKey, UtxoEntry>,
): readonly UtxoEntry[] =>
  [...these].flatMap(([key, entry]) => (those.get(key)?.blockDaaScore === entry.blockDaaScore ? [] : [entry]))
