import type { RpcBlock } from '../../node/messages/records.js'
import type { Ledger } from '../ledger/ledger.js'

/** A chain block and what it accepted. */
export interface ChainEntry {
  readonly hash: string
  readonly blueScore: number
  readonly daaScore: number
  /** Unix milliseconds. */
  readonly timestamp: number
  readonly bits: number
  readonly difficulty: number
  readonly transactionIds: readonly string[]
}

/** What an indexer has written down of the DAG so far. */
export interface Memory {
  /** From genesis to the sink. */
  chain(): readonly ChainEntry[]
  /** Chain blocks from the blue score `gte` to below `lt`. */
  between(gte: number, lt: number): readonly ChainEntry[]
  /** Every block of that blue score that the chain has merged, and the scores that there are, rising. */
  hashesAt(blueScore: number): readonly string[]
  blueScores(): readonly number[]
}

/** It catches up with the ledger each time it is asked, and begins anew where the chain has changed behind it. */
export function createMemory(ledger: Ledger, blockOf: (hash: string) => RpcBlock | undefined): Memory {
  let pages: Pages = emptyPages()

  function current(): Pages {
    const hashes = ledger.truth.chain()
    const last = pages.chain.at(-1)
    if (last !== undefined && hashes[pages.chain.length - 1] !== last.hash) pages = emptyPages()
    if (pages.chain.length < hashes.length) {
      const missing = ledger.truth.accepted().slice(pages.chain.length)
      for (const { acceptingBlockHash, acceptedTransactionIds } of missing) {
        const block = blockOf(acceptingBlockHash)
        if (block !== undefined) write(pages, block, acceptedTransactionIds, blockOf)
      }
    }
    return pages
  }

  return {
    chain: () => current().chain,
    between(gte, lt) {
      const { chain } = current()
      const start = firstAt(chain, gte)
      return chain.slice(start, firstAt(chain, lt))
    },
    hashesAt: (blueScore) => [...(current().byBlueScore.get(blueScore) ?? [])],
    blueScores: () => [...current().byBlueScore.keys()].sort((left, right) => left - right),
  }
}

interface Pages {
  readonly chain: ChainEntry[]
  readonly byBlueScore: Map<number, Set<string>>
}

const emptyPages = (): Pages => ({ chain: [], byBlueScore: new Map() })

function write(
  { chain, byBlueScore }: Pages,
  { header, verboseData }: RpcBlock,
  transactionIds: readonly string[],
  blockOf: (hash: string) => RpcBlock | undefined,
): void {
  const { hash, bits } = header
  const blueScore = Number(header.blueScore)
  const [daaScore, timestamp] = [Number(header.daaScore), Number(header.timestamp)]
  chain.push({ hash, blueScore, daaScore, timestamp, bits, difficulty: verboseData?.difficulty ?? 0, transactionIds })
  for (const merged of [...(verboseData?.mergeSetBluesHashes ?? []), ...(verboseData?.mergeSetRedsHashes ?? [])]) {
    file(byBlueScore, Number(blockOf(merged)?.header.blueScore ?? 0n), merged)
  }
  file(byBlueScore, blueScore, hash)
}

function file(byBlueScore: Map<number, Set<string>>, blueScore: number, hash: string): void {
  byBlueScore.set(blueScore, (byBlueScore.get(blueScore) ?? new Set()).add(hash))
}

/** The place of the first chain block with this blue score or more: scores rise along the chain. */
function firstAt(chain: readonly ChainEntry[], blueScore: number): number {
  let [low, high] = [0, chain.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chain[middle]?.blueScore ?? 0) < blueScore) low = middle + 1
    else high = middle
  }
  return low
}
