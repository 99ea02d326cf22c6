import { connect, merge, takeUntil, type Observable, EMPTY, catchError, filter, mergeMap, switchMap } from 'rxjs'
import { refuseUnknown } from '../../errors/chain-error.js'
import { decodeCursor } from '../../model/chain-cursor/cursor.js'
import { isHex } from '../../model/hex.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ChainStart } from '../chain/options.js'
import type { NodeLink } from '../session/node-link.js'
import type {
  AcceptanceStreams,
  AcceptanceChange,
  AcceptedTransactionsOptions,
  SendersResolved,
  TransactionChange,
} from './acceptance.js'
import { inFrames, boundedConcatMap } from '../bursts.js'
import type { Senders, SendersDeps } from './senders.js'
import { lazyModule } from '../../loading/lazy-methods.js'

/**
 * Transactions accepted and reverted by the virtual chain, in its order, each once: a reorg first emits its rollback
 * and reverts what the removed chain blocks accepted, then emits what the added ones accept. Changes of an outage are
 * backfilled after it; what cannot be backfilled is reported in `gaps$`. Hot; without options shared by all. Replays
 * nothing: starts at the current chain, or after `from` with the first subscriber of the call. Never errors, completes
 * with the engine. With `includeSenderAddresses`, senders follow once resolved, without delaying changes; where the
 * node is slower than the chain, only the newest 100,000 queued transactions are resolved. Throws `ChainError`
 * (`invalid-argument`) for a `from` that is neither a cursor of this network nor a hash, and for an unknown option. To
 * store a position use `chainBatches$` or `followChain`, whose batches carry cursors.
 */
export interface AcceptedTransactions {
  (options?: {
    readonly from?: string | undefined
    readonly includeSenderAddresses?: false | undefined
  }): Observable<AcceptanceChange>
  (options: AcceptedTransactionsOptions): Observable<AcceptanceChange | SendersResolved>
}

type WithoutSenders = AcceptedTransactionsOptions & { readonly includeSenderAddresses?: false | undefined }

export function createAcceptedTransactions(
  deps: Pick<AcceptanceStreams, 'changes$' | 'changesSince$'> & Pick<NodeLink, 'ended$' | 'network'> & ResolveDeps,
): AcceptedTransactions {
  function accepted$(options?: WithoutSenders): Observable<AcceptanceChange>
  function accepted$(options: AcceptedTransactionsOptions): Observable<AcceptanceChange | SendersResolved>
  function accepted$(options: AcceptedTransactionsOptions = {}): Observable<AcceptanceChange | SendersResolved> {
    refuseUnknown(options, ['from', 'includeSenderAddresses'])
    const { from, includeSenderAddresses = false } = options
    const changes$ = from === undefined ? deps.changes$ : deps.changesSince$(toStart(from, deps.network()))
    if (!includeSenderAddresses) return changes$
    return changes$.pipe(
      connect((shared$) => merge(shared$, resolveSenders$(shared$, MAX_QUEUED, deps))),
      takeUntil(deps.ended$), // senders may still be pending
    )
  }
  return accepted$
}

/** A cursor is longer than a hash. */
const toStart = (from: string, network: ChainNetwork): ChainStart =>
  isHex(from.toLowerCase(), 32)
    ? { type: 'block', hash: from.toLowerCase() }
    : { type: 'cursor', locator: decodeCursor(from, network, 'from') }

export type ResolveDeps = Senders & Pick<NodeLink, 'platform'>

/** Transactions queued for sender resolution, at most: the queue is held in memory. */
export const MAX_QUEUED = 100_000

/**
 * The senders of accepted transactions, block by block, because one response mostly covers the next blocks too. Skips
 * what the node does not provide; where the node is slower than the chain, skips all but the newest `limit`. Both can
 * be requested later.
 */
export const resolveSenders$ = (
  changes$: Observable<AcceptanceChange>,
  limit: number,
  { senders$, platform }: ResolveDeps,
): Observable<SendersResolved> =>
  changes$.pipe(
    filter(isAccepted),
    inFrames(platform.frames),
    mergeMap((accepted) => byBlock(accepted.slice(Math.max(0, accepted.length - limit)))),
    boundedConcatMap(
      limit,
      ([, ids]) => ids.length,
      ([hash, ids]) =>
        senders$(hash, ids).pipe(
          mergeMap((senders) => toResolved(hash, ids, senders)),
          catchError(() => EMPTY), // no response: reported by the connection state
        ),
    ),
  )

const isAccepted = (change: AcceptanceChange): change is TransactionChange => change.type === 'accepted'

const toResolved = (
  acceptingBlockHash: string,
  transactionIds: readonly string[],
  senders: ReadonlyMap<string, readonly string[]>,
): SendersResolved[] =>
  transactionIds.flatMap((transactionId) => {
    const senderAddresses = [...(senders.get(transactionId) ?? [])]
    return senderAddresses.length === 0
      ? []
      : [{ type: 'resolved' as const, transactionId, acceptingBlockHash, senderAddresses }]
  })

/** Transaction ids by accepting block, in order. */
function byBlock(changes: readonly TransactionChange[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>()
  for (const { acceptingBlockHash, transactionId } of changes) {
    const ids = blocks.get(acceptingBlockHash)
    if (ids === undefined) blocks.set(acceptingBlockHash, [transactionId])
    else ids.push(transactionId)
  }
  return blocks
}

/** Sender resolution whose implementation is loaded with the first request. */
export function deferSenders(deps: SendersDeps): Senders {
  let senders: Senders | undefined
  return {
    senders$: (hash, transactionIds) =>
      sendersModule.module$.pipe(
        switchMap(({ createSenders }) => (senders ??= createSenders(deps)).senders$(hash, transactionIds)),
      ),
  }
}

export const sendersModule = /*#__PURE__*/ lazyModule(() => import('./senders.js'))
