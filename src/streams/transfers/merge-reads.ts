import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { ChainBlock } from '../chain/batch.js'
import type { IndexRead } from './read-index.js'

/** Two reads as one: what either has, unsettled where both say so. A read without the start block changes nothing. */
export function mergeReads(before: IndexRead | undefined, read: IndexRead | null): IndexRead | undefined {
  if (before === undefined || read === null) return before ?? read ?? undefined
  return {
    entries: [...before.entries, ...read.entries],
    sinkScore: read.sinkScore,
    unsettled: new Set([...before.unsettled].filter((key) => read.unsettled.has(key))),
  }
}

/** A read after the chain has accepted what some blocks spend. */
export function acceptBlocks(read: IndexRead, blocks: readonly ChainBlock[]): IndexRead {
  const accepted = new Set(blocks.flatMap(spentKeys))
  return { ...read, unsettled: new Set([...read.unsettled].filter((key) => !accepted.has(key))) }
}

const spentKeys = ({ transactions }: ChainBlock): readonly OutpointKey[] =>
  transactions.flatMap(({ inputs }) => inputs.map(({ outpoint }) => toOutpointKey(outpoint)))
