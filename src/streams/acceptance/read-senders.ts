import { forkJoin, map, of, switchMap, type Observable } from 'rxjs'
import type { RpcAcceptingBlock } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptingBlock } from './change.js'

/** The senders of each transaction that one chain block accepted, by transaction id. Coinbases have none. */
export type BlockSenders = ReadonlyMap<string, readonly string[]>

/** About how many chain blocks one response returns besides the requested one: they are likely to be requested next. */
const LOOKAHEAD = 10

/** The requested part of the chain: after `startHash`, without blocks of fewer blue confirmations. */
interface BlockRange {
  readonly startHash: string
  readonly minConfirmationCount: bigint | undefined
}

/**
 * The senders of a chain block and a few after it, by block, from a node of 1.1 or later. Errors with `ChainRpcError`,
 * also where any script of the range has no address: then the node returns nothing.
 */
export const readSenders$ = (
  hash: string,
  chain: readonly AcceptingBlock[],
  call: NodeLink['call'],
): Observable<ReadonlyMap<string, BlockSenders>> =>
  range$(hash, chain, call).pipe(
    switchMap((range) => call('getVirtualChainFromBlockV2', { ...range, dataVerbosityLevel: 'Low' })),
    map(({ addedChainBlockHashes, chainBlockAcceptedTransactions }) => {
      const blocks = addedChainBlockHashes.map((added, at) => [added, chainBlockAcceptedTransactions[at]] as const)
      return new Map(blocks.map(([added, block]) => [added, toSenders(block)]))
    }),
  )

/**
 * From the block before to a few blocks after. A remembered block has at least as many blue as chain blocks above it,
 * so the confirmation limit never excludes the block itself.
 */
function range$(hash: string, chain: readonly AcceptingBlock[], call: NodeLink['call']): Observable<BlockRange> {
  const place = chain.findIndex((block) => block.hash === hash)
  const before = chain[place - 1]?.hash
  const excess = chain.length - 1 - place - LOOKAHEAD
  return before === undefined
    ? singleBlockRange$(hash, call)
    : of({ startHash: before, minConfirmationCount: excess > 0 ? BigInt(excess) : undefined })
}

/** The range of a single block that is not remembered; its verbose data names the block before it. */
const singleBlockRange$ = (hash: string, call: NodeLink['call']): Observable<BlockRange> =>
  forkJoin([call('getBlock', { hash, includeTransactions: false }), call('getSinkBlueScore', {})]).pipe(
    map(([{ block }, { blueScore }]) => {
      const above = blueScore - block.header.blueScore
      return {
        startHash: block.verboseData?.selectedParentHash ?? hash,
        minConfirmationCount: above > 1n ? above - 1n : undefined,
      }
    }),
  )

function toSenders(block: RpcAcceptingBlock | undefined): BlockSenders {
  const senders = new Map<string, readonly string[]>()
  for (const { inputs, verboseData } of block?.acceptedTransactions ?? []) {
    const id = verboseData?.transactionId
    if (id === undefined) continue
    const addresses = inputs.flatMap((input) => input.verboseData?.utxoEntry?.verboseData?.scriptPublicKeyAddress ?? [])
    senders.set(id, [...new Set(addresses)])
  }
  return senders
}
