import {
  EMPTY,
  catchError,
  expand,
  filter,
  last,
  map,
  mergeMap,
  of,
  switchMap,
  take,
  throwError,
  type Observable,
} from 'rxjs'
import type { RpcHeader, VirtualChainResult } from '../../node/messages/records.js'
import { isRefusal } from '../ask-again.js'
import type { NodeLink } from '../session/node-link.js'

/** A way to look back. */
export type LookBack = typeof lookBack$

/** The highest level of blocks: on mainnet, and everywhere else. Source: the node's `max_block_level`. */
const HIGHEST_LEVEL = { mainnet: 225, other: 250 }

/** How many levels above the one that every block reaches to step along: there blocks are about 2^10 blocks apart. */
const LEVELS_ABOVE = 10

/** How far back, in blue score, to begin at least. The next block of a level may be anywhere, also right beneath the sink. */
const FAR = 1_000n

/** Pages of the chain that are read, at most: one holds more than twice as far, and two steps rarely lead back five times. */
const PAGES = 5

/**
 * The chain block that accepted a transaction lately, within a thousand blocks or a few thousand; completes without a value
 * where there is none. A node keeps no index of ids, but higher-level parents lead from its sink far back in a few steps.
 * Errors with `ChainRpcError` where the node did not answer.
 */
export const lookBack$ = (transactionId: string, call: NodeLink['call']): Observable<string> =>
  call('getBlockDagInfo', {}).pipe(
    switchMap(({ sink, network }) => farBack$(sink, network, call)),
    switchMap((start) => readOn$(start, call)),
    mergeMap(({ acceptedTransactionIds }) => acceptedTransactionIds),
    filter(({ acceptedTransactionIds }) => acceptedTransactionIds.includes(transactionId)),
    map(({ acceptingBlockHash }) => acceptingBlockHash),
    take(1),
    catchError((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error))), // an older block cannot be read
  )

/** A block at least `FAR` beneath the sink; genesis on a younger chain. */
function farBack$(sink: string, network: string, call: NodeLink['call']): Observable<string> {
  const header$ = (hash: string): Observable<RpcHeader> =>
    call('getBlock', { hash, includeTransactions: false }).pipe(map(({ block }) => block.header))
  return header$(sink).pipe(
    switchMap((tip) => {
      const isNear = ({ blueScore }: RpcHeader): boolean => tip.blueScore - blueScore < FAR
      return of(tip).pipe(
        expand((header) => (isNear(header) && !isGenesis(header) ? header$(stepBack(header, network)) : EMPTY)),
        last(),
      )
    }),
    map(({ hash }) => hash),
  )
}

const isGenesis = ({ parentsByLevel }: RpcHeader): boolean => parentsByLevel.length === 0

/**
 * The nearest block of a high level beneath. Levels that only genesis reaches are not written; the chain is that young then,
 * and its pruning point is genesis.
 */
function stepBack({ parentsByLevel, pruningPoint, bits }: RpcHeader, network: string): string {
  const highest = network === 'mainnet' ? HIGHEST_LEVEL.mainnet : HIGHEST_LEVEL.other
  const level = highest - bitsOfTarget(bits) + LEVELS_ABOVE
  return parentsByLevel[level]?.[0] ?? pruningPoint
}

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
