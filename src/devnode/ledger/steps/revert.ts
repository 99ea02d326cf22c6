import type { NodeNotification } from '../../../node/messages/records.js'
import type { ChainState } from '../chain/chain-state.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import { virtualChanged } from '../records/events.js'
import type { UtxoDiff, UtxoSet } from '../utxo/utxo-set.js'

/** The notifications of a revert to a snapshot, equal to those of a reorg. */
export function revertEvents(from: ChainState, to: ChainState): readonly NodeNotification[] {
  const shared = commonLength(from, to)
  return virtualChanged(to, {
    removed: [...from.chain.slice(shared)].reverse(),
    added: to.chain.slice(shared),
    utxos: difference(from.utxos, to.utxos),
  })
}

function commonLength(from: ChainState, to: ChainState): number {
  let length = 0
  while (length < from.chain.length && length < to.chain.length && from.chain.at(length) === to.chain.at(length))
    length++
  return length
}

function difference(from: UtxoSet, to: UtxoSet): UtxoDiff {
  const before = indexed(from)
  const after = indexed(to)
  return { removed: missing(before, after), added: missing(after, before) }
}

const indexed = (utxos: UtxoSet): ReadonlyMap<OutpointKey, UtxoEntry> =>
  new Map([...utxos.all()].map((entry) => [toOutpointKey(entry.outpoint), entry]))

/** Entries of `these` that `those` lacks or has with another score. */
const missing = (
  these: ReadonlyMap<OutpointKey, UtxoEntry>,
  those: ReadonlyMap<OutpointKey, UtxoEntry>,
): readonly UtxoEntry[] =>
  [...these].flatMap(([key, entry]) => (those.get(key)?.blockDaaScore === entry.blockDaaScore ? [] : [entry]))
