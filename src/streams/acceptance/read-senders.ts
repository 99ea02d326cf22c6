import { map, of, switchMap, type Observable } from 'rxjs'
import type { RpcAcceptingBlock } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { Chain } from './chain.js'

/** The senders of each transaction that one chain block accepted, by transaction id. Coinbases have none. */
export type BlockSenders = ReadonlyMap<string, readonly string[]>

/**
 * Asks a node of 1.1 or later what a chain block, and those after it, accepted and from whom. Emits the senders by block.
 * The question names the block before; where that is not remembered, it is asked for.
 */
export function readSenders$(
  hash: string,
  chain: Chain,
  call: NodeLink['call'],
): Observable<ReadonlyMap<string, BlockSenders>> {
  const place = chain.findIndex((block) => block.hash === hash)
  const before = chain[place - 1]?.hash
  const parent$ = before === undefined ? selectedParent$(hash, call) : of(before)
  return parent$.pipe(
    switchMap((startHash) =>
      call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'Low', minConfirmationCount: undefined }),
    ),
    map(({ addedChainBlockHashes, chainBlockAcceptedTransactions }) => {
      const blocks = addedChainBlockHashes.map((added, at) => [added, chainBlockAcceptedTransactions[at]] as const)
      return new Map(blocks.map(([added, block]) => [added, toSenders(block)]))
    }),
  )
}

/** Every chain block's verbose data names its selected parent: the chain block before it. */
const selectedParent$ = (hash: string, call: NodeLink['call']): Observable<string> =>
  call('getBlock', { hash, includeTransactions: false }).pipe(
    map(({ block }) => block.verboseData?.selectedParentHash ?? block.header.parentsByLevel[0]?.[0] ?? hash),
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
