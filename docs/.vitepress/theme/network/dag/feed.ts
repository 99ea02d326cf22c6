import type { MemoryDevnode } from 'vue-chain/devnode/memory'
import type { Dag, DagBlock } from './dag.js'

/** Blocks that are drawn. */
const NEWEST = 100
/** Ms between two reads of the network. */
const INTERVAL = 250

/**
 * Reports the newest blocks after each change of the network: from the devnode itself, whatever its connections do.
 * Ends by the returned function.
 */
export function feedDag(devnode: MemoryDevnode, report: (dag: Dag) => void): () => void {
  const read = createBlockReader(devnode)
  const wasInChain = new Set<string>()
  let last = ''
  let isEnded = false
  const readDag = async (): Promise<void> => {
    const { expected } = devnode
    const hashes = expected.blocks().slice(-NEWEST)
    const chain = new Set(expected.chain().slice(-NEWEST))
    const mempool = expected.mempool()
    const state = [...hashes, ...chain, ...mempool].join()
    if (state === last) return
    for (const hash of chain) wasInChain.add(hash)
    const placeOf = (hash: string): DagBlock['place'] =>
      chain.has(hash) ? 'chain' : wasInChain.has(hash) ? 'removed' : 'merged'
    const blocks: DagBlock[] = []
    for (const hash of hashes) blocks.push({ ...(await read(hash)), place: placeOf(hash) })
    last = state
    if (!isEnded) report({ blocks, mempool })
  }
  const next = (): void => {
    if (isEnded) return
    readDag()
      .catch(() => undefined) // the reader made the indexer fail: read again
      .finally(() => setTimeout(next, INTERVAL))
  }
  next()
  return () => void (isEnded = true)
}

/** Reads each block once, from the indexer; parents first. */
function createBlockReader({ engineOptions }: MemoryDevnode): (hash: string) => Promise<Omit<DagBlock, 'place'>> {
  const { fetcher = fetch, baseUrl } = engineOptions.rest
  const known = new Map<string, Omit<DagBlock, 'place'>>()
  return async (hash) => {
    const found = known.get(hash)
    if (found !== undefined) return found
    const { header, transactions }: BlockRecord = await (await fetcher(`${baseUrl}/blocks/${hash}`)).json()
    const parents = header.parents?.[0]?.parentHashes ?? []
    const generation = Math.max(-1, ...parents.map((parent) => known.get(parent)?.generation ?? -1)) + 1
    const block = { hash, parents, generation, hasPayments: (transactions?.length ?? 0) > 1 }
    known.set(hash, block)
    return block
  }
}

interface BlockRecord {
  /** The direct parents are the first level. */
  readonly header: { readonly parents?: readonly { readonly parentHashes?: readonly string[] }[] }
  /** The coinbase is the first. */
  readonly transactions?: readonly unknown[] | null
}
