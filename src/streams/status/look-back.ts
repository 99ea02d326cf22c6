import { EMPTY, catchError, expand, filter, map, mergeMap, switchMap, take, throwError, type Observable } from 'rxjs'
import type { RpcHeader, VirtualChainResult } from '../../node/messages/records.js'
import { isRefusal } from '../ask-again.js'
import type { NodeLink } from '../session/node-link.js'

/** A way to look back. */
export type LookBack = typeof lookBack$

/** The highest level of blocks: on mainnet, and everywhere else. Source: the node's `max_block_level`. */
const HIGHEST_LEVEL = { mainnet: 225, other: 250 }

/** How many levels above the one that every block reaches to begin at: there blocks are about 2^10 blocks apart. */
const LEVELS_ABOVE = 10

/** Pages of the chain that are read, at most: from a thousand blocks back, one reaches the tip. */
const PAGES = 3

/**
 * The chain block that accepted a transaction lately, some minutes back at most; completes without a value where there is
 * none. A node keeps no index of ids, but the higher-level parents of its sink lead far back in one step. Errors with
 * `ChainRpcError` where the node did not answer.
 */
export const lookBack$ = (transactionId: string, call: NodeLink['call']): Observable<string> =>
  call('getBlockDagInfo', {}).pipe(
    switchMap(({ sink, network }) =>
      call('getBlock', { hash: sink, includeTransactions: false }).pipe(
        map(({ block }) => farBack(block.header, network)),
      ),
    ),
    switchMap((start) => readOn$(start, call)),
    mergeMap(({ acceptedTransactionIds }) => acceptedTransactionIds),
    filter(({ acceptedTransactionIds }) => acceptedTransactionIds.includes(transactionId)),
    map(({ acceptingBlockHash }) => acceptingBlockHash),
    take(1),
    catchError((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error))), // an older block cannot be read
  )

/**
 * The sink's parent some thousand blocks back. Levels that only genesis reaches are not written; the chain is that young then,
 * and its pruning point is genesis.
 */
function farBack({ parentsByLevel, pruningPoint, bits }: FarSeeing, network: string): string {
  const highest = network === 'mainnet' ? HIGHEST_LEVEL.mainnet : HIGHEST_LEVEL.other
  const level = highest - bitsOfTarget(bits) + LEVELS_ABOVE
  return parentsByLevel[level]?.[0] ?? pruningPoint
}

type FarSeeing = Pick<RpcHeader, 'parentsByLevel' | 'pruningPoint' | 'bits'>

/** How many bits the target has that proof of work must stay below: a block reaches a level for each that it has less. */
function bitsOfTarget(bits: number): number {
  const mantissa = bits & 0x7fffff
  return 8 * ((bits >>> 24) - 3) + 32 - Math.clz32(mantissa)
}

function readOn$(start: string, call: NodeLink['call']): Observable<VirtualChainResult> {
  const page$ = (startHash: string): Observable<VirtualChainResult> =>
    call('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: true })
  return page$(start).pipe(
    expand((page, index) => {
      const last = page.addedChainBlockHashes.at(-1)
      return last === undefined || index + 1 === PAGES ? EMPTY : page$(last)
    }),
  )
}
