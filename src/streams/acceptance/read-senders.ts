import { forkJoin, map, of, switchMap, type Observable } from 'rxjs'
import type { RpcAcceptingBlock } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { Chain } from './chain.js'

/** The senders of each transaction that one chain block accepted, by transaction id. Coinbases have none. */
export type BlockSenders = ReadonlyMap<string, readonly string[]>

/** How many chain blocks one answer brings beside the one that is asked for, or a few more: the next ones to be asked for. */
const AHEAD = 10

/** The stretch of the chain that is asked for: after `startHash`, without what fewer blue blocks confirm. */
interface Stretch {
  readonly startHash: string
  readonly minConfirmationCount: bigint | undefined
}

/**
 * Asks a node of 1.1 or later what a chain block, and a few after it, accepted and from whom. Emits the senders by block.
 * Errors with `ChainRpcError`, also where one script of the stretch has no address: then the node tells nothing at all.
 */
export const readSenders$ = (
  hash: string,
  chain: Chain,
  call: NodeLink['call'],
): Observable<ReadonlyMap<string, BlockSenders>> =>
  stretch$(hash, chain, call).pipe(
    switchMap((stretch) => call('getVirtualChainFromBlockV2', { ...stretch, dataVerbosityLevel: 'Low' })),
    map(({ addedChainBlockHashes, chainBlockAcceptedTransactions }) => {
      const blocks = addedChainBlockHashes.map((added, at) => [added, chainBlockAcceptedTransactions[at]] as const)
      return new Map(blocks.map(([added, block]) => [added, toSenders(block)]))
    }),
  )

/**
 * From the block before to a few blocks after. Above a remembered block there are as many blue blocks as chain blocks at
 * least, so what is left out by that count is never the block itself.
 */
function stretch$(hash: string, chain: Chain, call: NodeLink['call']): Observable<Stretch> {
  const place = chain.findIndex((block) => block.hash === hash)
  const before = chain[place - 1]?.hash
  const spare = chain.length - 1 - place - AHEAD
  return before === undefined
    ? alone$(hash, call)
    : of({ startHash: before, minConfirmationCount: spare > 0 ? BigInt(spare) : undefined })
}

/** The stretch that holds a block of which nothing is remembered, and no other. Its verbose data names the block before it. */
const alone$ = (hash: string, call: NodeLink['call']): Observable<Stretch> =>
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
