import { succeed, fail } from '../result.js'
import type { ChainState } from '../chain/chain-state.js'
import type { ChainPath } from '../chain/selected-chain.js'
import { MERGESET_LIMIT } from '../params.js'
import { detailOf, MissingAddressError, toAcceptedRecord, toChainHeader, type Detail } from '../records/accepted.js'
import { acceptedIds } from '../records/events.js'
import { unknownHeader, type Queries } from './scope.js'

/** Maximum chain blocks of a page; with accepted transactions, maximum merged blocks. */
const PAGE = 10 * MERGESET_LIMIT

/** The virtual chain from a known block to the sink, in pages. */
export const virtualChainQueries: Queries<'getVirtualChainFromBlock' | 'getVirtualChainFromBlockV2'> = {
  getVirtualChainFromBlock: ({ network: { state } }, request) => {
    const { startHash, includeAcceptedTransactionIds, minConfirmationCount = 0n } = request
    if (!state.dag.has(startHash)) return fail(unknownHeader(startHash))
    const { removed, added } = pageFrom(state, startHash, minConfirmationCount)
    const reported = includeAcceptedTransactionIds ? withinMergedLimit(state, added) : added
    return succeed({
      removedChainBlockHashes: removed,
      addedChainBlockHashes: reported,
      acceptedTransactionIds: includeAcceptedTransactionIds ? reported.map((hash) => acceptedIds(state, hash)) : [],
    })
  },

  getVirtualChainFromBlockV2: ({ network: { state } }, request) => {
    const { startHash, dataVerbosityLevel = 'Full', minConfirmationCount = 0n } = request
    if (!state.dag.has(startHash)) return fail(unknownHeader(startHash))
    const { removed, added } = pageFrom(state, startHash, minConfirmationCount)
    const reported = withinMergedLimit(state, added)
    const detail = detailOf(dataVerbosityLevel)
    try {
      return succeed({
        removedChainBlockHashes: removed,
        addedChainBlockHashes: reported,
        chainBlockAcceptedTransactions: reported.map((hash) => toAcceptingBlock(state, hash, detail)),
      })
    } catch (error) {
      if (error instanceof MissingAddressError) return fail(error.message)
      throw error
    }
  },
}

function pageFrom(state: ChainState, start: string, minConfirmationCount: bigint): ChainPath {
  const { dag, chain } = state
  const removed: string[] = []
  let at = start
  for (; !chain.has(at); at = dag.get(at).context.ghostdag.selectedParent) removed.push(at)
  const index = chain.indexOf(at) ?? 0
  const added = chain.slice(index + 1, index + 1 + PAGE)
  return { removed, added: confirmed(state, added, minConfirmationCount) }
}

/** Blocks whose blue score is more than `count` below that of the sink; all if `count` is 0. */
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
  const { dag, validation } = state
  const merged = state.acceptanceOf(hash)?.merged ?? []
  return {
    chainBlockHeader: toChainHeader(dag.get(hash), detail),
    acceptedTransactions: merged.flatMap((block) =>
      block.accepted.map((accepted) => toAcceptedRecord(accepted, dag.get(block.hash), validation.addresses, detail)),
    ),
  }
}
