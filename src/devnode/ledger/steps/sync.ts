import type { NodeNotification } from '../../../node/messages/records.js'
import type { LedgerBlock } from '../block.js'
import { chainPath } from '../chain/virtual-chain.js'
import type { Network } from '../network.js'
import type { SyncOptions } from '../options.js'
import { resolveVirtual } from './mine.js'
import type { ChainState } from '../chain/chain-state.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import { virtualChanged } from '../records/events.js'
import type { UtxoDiff, UtxoSet } from '../utxo-set.js'

interface Synced {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
  readonly events: readonly NodeNotification[]
}

/**
 * Adds the blocks of a peer with the same genesis, in the order in which the peer got them. The heavier branch becomes
 * the chain. Tips that the peer has abandoned are abandoned here, so that no later block merges them.
 */
export function syncFrom(network: Network, peer: Network, { blocks, headersOnly = false }: SyncOptions): Synced {
  const { state } = network
  const missing = missingBlocks(network, peer, headersOnly).slice(0, blocks)
  if (headersOnly) {
    for (const block of missing) state.dag.insertHeader(block)
    return { removed: [], added: [], events: [] }
  }
  const relayed = missing.filter(({ hash }) => !state.dag.has(hash)) // IBD fetches the headers first
  for (const block of missing) insertFrom(peer, network, block)
  for (const tip of peer.state.abandonedTips) if (state.dag.hasBody(tip)) state.abandon(tip)
  const before = state.chain.sink
  const events = resolveVirtual(network, missing, relayed)
  return { ...chainPath(state.dag, before, state.chain.sink), events }
}

function missingBlocks({ state }: Network, peer: Network, headersOnly: boolean): readonly LedgerBlock[] {
  const { dag } = state
  const isKnown = headersOnly ? (hash: string) => dag.has(hash) : (hash: string) => dag.hasBody(hash)
  return [...peer.state.dag.blocks()].filter(({ hash }) => !isKnown(hash))
}

/**
 * A block that the peer has validated as a chain block is not validated again: its acceptance depends on its past
 * alone.
 */
function insertFrom(peer: Network, { state }: Network, block: LedgerBlock): void {
  const acceptance = peer.state.acceptanceOf(block.hash)
  if (acceptance === undefined) state.insert(block)
  else state.insertMined(block, acceptance)
}

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
