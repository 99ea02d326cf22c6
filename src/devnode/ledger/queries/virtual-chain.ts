import { succeed, fail, type RpcResult } from '../result.js'
import { findBlock, unknownHeader, type Queries } from './scope.js'
import type { ChainState } from '../chain/chain-state.js'
import type { ChainPath } from '../chain/virtual-chain.js'
import type { Network } from '../network.js'
import { MERGESET_LIMIT } from '../params.js'
import { detailOf, MissingAddressError, toAcceptedRecord, toChainHeader, type Detail } from '../records/accepted.js'
import { acceptedIds } from '../records/events.js'

/** Maximum chain blocks of a page; with accepted transactions, maximum merged blocks. */
const PAGE = 10 * MERGESET_LIMIT

/** The virtual chain from a known block to the sink, in pages. */
export const virtualChainQueries: Queries<'getVirtualChainFromBlock' | 'getVirtualChainFromBlockV2'> = {
  getVirtualChainFromBlock: ({ network }, request) => {
    const { startHash, includeAcceptedTransactionIds, minConfirmationCount = 0n } = request
    const { state } = network
    const page = pageFrom(network, startHash, minConfirmationCount)
    if (!page.ok) return page
    const { removed, added } = page.value
    const reported = includeAcceptedTransactionIds ? withinMergedLimit(state, added) : added
    return succeed({
      removedChainBlockHashes: removed,
      addedChainBlockHashes: reported,
      acceptedTransactionIds: includeAcceptedTransactionIds ? reported.map((hash) => acceptedIds(state, hash)) : [],
    })
  },

  getVirtualChainFromBlockV2: ({ network }, request) => {
    const { startHash, dataVerbosityLevel = 'Full', minConfirmationCount = 0n } = request
    const { state } = network
    const page = pageFrom(network, startHash, minConfirmationCount)
    if (!page.ok) return page
    const { removed, added } = page.value
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

/**
 * A start block off the chain is no error, also if only its header is known: its chain is removed down to the fork
 * point. Fails for an unknown block, and for one whose chain does not have the retention root.
 */
function pageFrom(network: Network, start: string, minConfirmationCount: bigint): RpcResult<ChainPath> {
  const { state, retention } = network
  const { dag, chain } = state
  if (findBlock(network, start) === undefined) return fail(unknownHeader(start))
  const removed: string[] = []
  let at = start
  for (; !chain.has(at); at = dag.get(at).context.ghostdag.selectedParent) removed.push(at)
  const index = chain.indexOf(at) ?? 0
  if (index < (chain.indexOf(retention.root) ?? 0))
    return fail('the queried hash does not have retention root on its chain')
  const added = chain.slice(index + 1, index + 1 + PAGE)
  return succeed({ removed, added: confirmed(state, added, minConfirmationCount) })
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
