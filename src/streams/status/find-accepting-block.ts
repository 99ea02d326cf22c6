import {
  defer,
  retry,
  type Observable,
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
} from 'rxjs'
import { withinBudget, type Budget } from '../look-back-budget.js'
import type { NodeLink } from '../session/node-link.js'
import type { StatusState } from './reduce-status.js'
import { laterReads$ } from './watch-mempool.js'
import type { RpcHeader, VirtualChainResult } from '../../node/messages/records.js'
import { isRefusal } from '../failed-requests.js'

/** Searches for an accepting block, at most, and the budget of each: about seven requests are usual. */
const MAX_SEARCHES = 10
const SEARCH_BUDGET: Budget = { requests: 30, time: 60_000 }

export interface SearchDeps extends Pick<NodeLink, 'call' | 'platform'> {
  /** Finds the block that accepted a transaction before the subscription. */
  readonly findAcceptingBlock: FindAcceptingBlock
}

/**
 * The block that has accepted a transaction; completes without a value if there is none. Where the node does not
 * respond, it is searched again after the next mempool read. Errors where that fails too often.
 */
export const searchAcceptingBlock$ = (
  id: string,
  state$: Observable<StatusState>,
  { call, findAcceptingBlock, platform }: SearchDeps,
): Observable<string> =>
  defer(() => findAcceptingBlock(id, withinBudget(call, SEARCH_BUDGET, platform))).pipe(
    retry({ count: MAX_SEARCHES - 1, delay: () => laterReads$(state$) }),
  )

type FindAcceptingBlock = typeof findAcceptingBlock$

/** The highest block level, on mainnet and elsewhere. Source: the node's `max_block_level`. */
const HIGHEST_LEVEL = { mainnet: 225, other: 250 }

/** Levels above the one that every block reaches: blocks of that level are about 2^10 blocks apart. */
const LEVELS_ABOVE = 10

/**
 * The minimal distance of the start block below the sink, in blue score. One parent may be anywhere, also directly
 * below the sink.
 */
const MIN_DISTANCE = 1_000n

/** Headers of the look-back, at most: two or three lead far enough. */
const MAX_HEADERS = 20

/** Pages of the chain, at most: one covers more than twice the distance, and two parents rarely exceed five times. */
const MAX_PAGES = 5

/**
 * The chain block that accepted a transaction within about the last thousand blocks; completes without a value if there
 * is none. A node has no index of transaction ids, but higher-level parents lead far below the sink in a few requests.
 * Errors with `ChainRpcError` if the node did not respond.
 */
export const findAcceptingBlock$ = (transactionId: string, call: NodeLink['call']): Observable<string> =>
  call('getBlockDagInfo', {}).pipe(
    switchMap(({ sink, network }) => startBlock$(sink, network, call)),
    switchMap((start) => chainPages$(start, call)),
    mergeMap(({ acceptedTransactionIds }) => acceptedTransactionIds),
    filter(({ acceptedTransactionIds }) => acceptedTransactionIds.includes(transactionId)),
    map(({ acceptingBlockHash }) => acceptingBlockHash),
    take(1),
    catchError((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error))), // older blocks cannot be read
  )

/** A block at least `MIN_DISTANCE` below the sink; genesis on a younger chain. */
function startBlock$(sink: string, network: string, call: NodeLink['call']): Observable<string> {
  const header$ = (hash: string): Observable<RpcHeader> =>
    call('getBlock', { hash, includeTransactions: false }).pipe(map(({ block }) => block.header))
  return header$(sink).pipe(
    switchMap((tip) => {
      const isNear = ({ blueScore }: RpcHeader): boolean => tip.blueScore - blueScore < MIN_DISTANCE
      return of(tip).pipe(
        expand((header, index) =>
          isNear(header) && !isGenesis(header) && index + 1 < MAX_HEADERS
            ? header$(distantParent(header, network)).pipe(filter((parent) => parent.blueScore < header.blueScore))
            : EMPTY,
        ),
        last(),
      )
    }),
    map(({ hash }) => hash),
  )
}

const isGenesis = ({ parentsByLevel }: RpcHeader): boolean => parentsByLevel.length === 0

/**
 * The nearest parent of a high level. Levels that only genesis reaches are omitted; the pruning point of such a young
 * chain is genesis.
 */
function distantParent({ parentsByLevel, pruningPoint, bits }: RpcHeader, network: string): string {
  const highest = network === 'mainnet' ? HIGHEST_LEVEL.mainnet : HIGHEST_LEVEL.other
  const level = highest - bitsOfTarget(bits) + LEVELS_ABOVE
  return parentsByLevel[level]?.[0] ?? pruningPoint
}

/** The bit length of the proof-of-work target. A block reaches one level for each bit by which its hash is shorter. */
function bitsOfTarget(bits: number): number {
  const mantissa = bits & 0x7fffff
  return 8 * ((bits >>> 24) - 3) + 32 - Math.clz32(mantissa)
}

/** Pages from `start` on, while each leads to a block that no page has led to. */
function chainPages$(start: string, call: NodeLink['call']): Observable<VirtualChainResult> {
  const known = new Set([start])
  const page$ = (startHash: string): Observable<VirtualChainResult> =>
    call('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: true })
  return page$(start).pipe(
    expand((page, index) => {
      const last = page.addedChainBlockHashes.at(-1)
      if (last === undefined || known.has(last) || index + 1 >= MAX_PAGES) return EMPTY
      known.add(last)
      return page$(last)
    }),
  )
}
