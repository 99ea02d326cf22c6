import { give, refuse } from '../answer.js'
import type { ChainState } from '../chain/chain-state.js'
import type { ChainPath } from '../chain/selected-chain.js'
import { MERGESET_LIMIT } from '../params.js'
import { detailOf, NoAddress, toAcceptedRecord, toChainHeader, type Detail } from '../records/accepted.js'
import { acceptedIds } from '../records/events.js'
import { unknownHeader, type Queries } from './scope.js'

/** The most chain blocks of a page; and the most merged blocks, where what they held is told. */
const PAGE = 10 * MERGESET_LIMIT

/** The chain from a block that a client knows to the sink, in pages. */
export const virtualChainQueries: Queries<'getVirtualChainFromBlock' | 'getVirtualChainFromBlockV2'> = {
  getVirtualChainFromBlock: ({ network: { state } }, request) => {
    const { startHash, includeAcceptedTransactionIds, minConfirmationCount = 0n } = request
    if (!state.dag.has(startHash)) return refuse(unknownHeader(startHash))
    const { removed, added } = pageFrom(state, startHash, minConfirmationCount)
    const told = includeAcceptedTransactionIds ? withinMergedLimit(state, added) : added
    return give({
      removedChainBlockHashes: removed,
      addedChainBlockHashes: told,
      acceptedTransactionIds: includeAcceptedTransactionIds ? told.map((hash) => acceptedIds(state, hash)) : [],
    })
  },

  getVirtualChainFromBlockV2: ({ network: { state } }, request) => {
    const { startHash, dataVerbosityLevel = 'Full', minConfirmationCount = 0n } = request
    if (!state.dag.has(startHash)) return refuse(unknownHeader(startHash))
    const { removed, added } = pageFrom(state, startHash, minConfirmationCount)
    const told = withinMergedLimit(state, added)
    const detail = detailOf(dataVerbosityLevel)
    try {
      return give({
        removedChainBlockHashes: removed,
        addedChainBlockHashes: told,
        chainBlockAcceptedTransactions: told.map((hash) => toAcceptingBlock(state, hash, detail)),
      })
    } catch (error) {
      if (error instanceof NoAddress) return refuse(error.message)
      throw error
    }
  },
}

function pageFrom(state: ChainState, start: string, minConfirmationCount: bigint): ChainPath {
  const { dag, chain } = state
  const removed: string[] = []
  let at = start
  for (; !chain.has(at); at = dag.get(at).context.ghostdag.selectedParent) removed.push(at)
  const place = chain.placeOf(at) ?? 0
  const added = chain.slice(place + 1, place + 1 + PAGE)
  return { removed, added: confirmed(state, added, minConfirmationCount) }
}

/** Without the newest blocks, whose blue score is not more than so many below the sink's; 0 takes none away. */
function confirmed({ dag, sink }: ChainState, added: readonly string[], count: bigint): readonly string[] {
  if (count === 0n) return added
  return added.filter((hash) => sink.header.blueScore - dag.get(hash).header.blueScore > count)
}

function withinMergedLimit({ dag }: ChainState, added: readonly string[]): readonly string[] {
  let merged = 0
  const end = added.findIndex((hash) => {
    merged += dag.get(hash).context.ghostdag.mergeset.length
    return merged > PAGE
  })
  return end === -1 ? added : added.slice(0, end)
}

function toAcceptingBlock(state: ChainState, hash: string, detail: Detail) {
  const { dag, judge } = state
  const merged = state.acceptanceOf(hash)?.merged ?? []
  return {
    chainBlockHeader: toChainHeader(dag.get(hash), detail),
    acceptedTransactions: merged.flatMap((block) =>
      block.accepted.map((accepted) => toAcceptedRecord(accepted, dag.get(block.hash), judge.addresses, detail)),
    ),
  }
}
