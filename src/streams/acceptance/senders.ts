import {
  ReplaySubject,
  catchError,
  defer,
  finalize,
  map,
  of,
  share,
  throwError,
  type Observable,
  forkJoin,
  switchMap,
  EMPTY,
  from,
  mergeMap,
} from 'rxjs'
import { isRefusal } from '../failed-requests.js'
import { withinBudget, type Budget } from '../look-back-budget.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceStreams, AcceptingBlock } from './acceptance.js'
import type { RpcAcceptingBlock } from '../../node/messages/records.js'

/** Sender addresses of accepted transactions, as far as the node provides them. */
export interface Senders {
  /**
   * The input addresses of some transactions, each once, by transaction id; all at once or one by one as resolved. A
   * transaction without known senders, such as a coinbase, is missing or has none. Nodes from 1.1 return a whole chain
   * block per request, which is cached; nodes from 0.16.1 only the first input's address; older ones nothing. Errors
   * with `ChainRpcError` if the node did not respond.
   */
  readonly senders$: (acceptingBlockHash: string, transactionIds: readonly string[]) => Observable<BlockSenders>
}

export type SendersDeps = Pick<NodeLink, 'call' | 'platform'> & Pick<AcceptanceStreams, 'chains'>

/** Chain blocks whose senders are cached. */
const MAX_CACHED_BLOCKS = 200

/** Of one block where each transaction is requested separately. */
const BUDGET: Budget = { requests: 2_000, time: 60_000 }

export function createSenders({ call, chains, platform }: SendersDeps): Senders {
  const cached = new Map<string, BlockSenders>()
  const inFlight = new Map<string, Observable<BlockSenders>>()

  const cache = (requestedHash: string, blocks: ReadonlyMap<string, BlockSenders>): BlockSenders => {
    const senders = blocks.get(requestedHash)
    for (const [hash, others] of blocks) cached.set(hash, others)
    for (const hash of [...cached.keys()].slice(0, -MAX_CACHED_BLOCKS)) cached.delete(hash)
    return senders ?? NO_SENDERS
  }
  /** A chain that remembers a block and the one before it; otherwise an empty one. */
  const chainOf = (hash: string): readonly AcceptingBlock[] =>
    chains().find((chain) => chain.findIndex((block) => block.hash === hash) > 0) ?? []
  /** Concurrent requests of one block share the response. */
  const fetch$ = (hash: string): Observable<BlockSenders> => {
    const response$ = readSenders$(hash, chainOf(hash), call).pipe(
      map((blocks) => cache(hash, blocks)),
      finalize(() => inFlight.delete(hash)),
      share({ connector: () => new ReplaySubject<BlockSenders>(1) }),
    )
    inFlight.set(hash, response$)
    return response$
  }
  return {
    senders$: (hash, transactionIds) =>
      defer(() => {
        const senders = cached.get(hash)
        return senders === undefined ? (inFlight.get(hash) ?? fetch$(hash)) : of(senders)
      }).pipe(
        catchError((error: unknown) =>
          isRefusal(error)
            ? firstSenders$(hash, transactionIds, withinBudget(call, BUDGET, platform))
            : throwError(() => error),
        ),
      ),
  }
}

/** For a block that has left the chain. Not cached, since it may rejoin. */
const NO_SENDERS: BlockSenders = /*#__PURE__*/ new Map()

/** The senders of each transaction that one chain block accepted, by transaction id. Coinbases have none. */
type BlockSenders = ReadonlyMap<string, readonly string[]>

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
const readSenders$ = (
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

/** Concurrent requests where each transaction is requested separately. */
const CONCURRENCY = 4

/**
 * The address of each transaction's first input, one by one as resolved: all that nodes of 0.16.1 to 1.0 provide. Skips
 * coinbases, scripts without an address, pruned blocks, and everything on older nodes. Errors with `ChainRpcError` if
 * the node did not respond.
 */
const firstSenders$ = (
  hash: string,
  transactionIds: readonly string[],
  call: NodeLink['call'],
): Observable<BlockSenders> =>
  call('getBlock', { hash, includeTransactions: false }).pipe(
    switchMap(({ block }) => {
      const { daaScore } = block.header
      return from(transactionIds).pipe(
        mergeMap(
          (txid) =>
            call('getUtxoReturnAddress', { txid, acceptingBlockDaaScore: daaScore }).pipe(
              map(({ returnAddress }) => new Map([[txid, [returnAddress]]])),
              skipRefused(),
            ),
          CONCURRENCY,
        ),
      )
    }),
    skipRefused(),
  )

const skipRefused = <T>() =>
  catchError<T, Observable<T>>((error: unknown) => (isRefusal(error) ? EMPTY : throwError(() => error)))
