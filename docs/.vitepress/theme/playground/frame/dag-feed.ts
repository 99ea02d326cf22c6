import type { MemoryDevnode } from 'vue-chain/devnode/memory'
import type { Dag, DagBlock } from '../messages.js'

/** Blocks that are drawn. */
const NEWEST = 40
/** Ms between two reads of the network. */
const INTERVAL = 250

/** Reports the newest blocks after each change of the network: from the devnode itself, whatever its connections do. */
export function feedDag(devnode: MemoryDevnode, report: (dag: Dag) => void): void {
  const parentsOf = createParentReader(devnode)
  const wasInChain = new Set<string>()
  let last = ''
  const read = async (): Promise<void> => {
    const { expected } = devnode
    const hashes = expected.blocks().slice(-NEWEST)
    const chain = new Set(expected.chain().slice(-NEWEST))
    const mempool = expected.mempool().length
    const state = [...hashes, ...chain, mempool].join()
    if (state === last) return
    for (const hash of chain) wasInChain.add(hash)
    const placeOf = (hash: string): DagBlock['place'] =>
      chain.has(hash) ? 'chain' : wasInChain.has(hash) ? 'removed' : 'merged'
    const blocks = await Promise.all(
      hashes.map(async (hash) => ({ hash, parents: await parentsOf(hash), place: placeOf(hash) })),
    )
    last = state
    report({ blocks, mempool })
  }
  const next = (): void => {
    read()
      .catch(() => undefined) // the reader made the indexer fail: read again
      .finally(() => setTimeout(next, INTERVAL))
  }
  next()
}

/** Reads the parents of each block once, from the indexer. */
function createParentReader({ engineOptions }: MemoryDevnode): (hash: string) => Promise<readonly string[]> {
  const { fetcher = fetch, baseUrl } = engineOptions.rest
  const known = new Map<string, readonly string[]>()
  return async (hash) => {
    const parents = known.get(hash) ?? toParents(await (await fetcher(`${baseUrl}/blocks/${hash}`)).json())
    known.set(hash, parents)
    return parents
  }
}

interface BlockRecord {
  readonly header: { readonly parents?: readonly { readonly parentHashes?: readonly string[] }[] }
}

/** The direct parents: the first level. */
const toParents = ({ header }: BlockRecord): readonly string[] => header.parents?.[0]?.parentHashes ?? []
