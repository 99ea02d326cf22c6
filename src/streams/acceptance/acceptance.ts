import {
  type Observable,
  Subject,
  defer,
  distinctUntilChanged,
  finalize,
  mergeMap,
  retry,
  share,
  switchMap,
  takeUntil,
  timer,
  using,
} from 'rxjs'
import type { HistoryGapError } from '../../errors/history-gap.js'
import { lazyModule } from '../../loading/lazy-methods.js'
import { recordFirstAdded } from '../chain/first-added.js'
import type { FollowDeps } from '../chain/scope.js'
import type { ChainStart } from '../chain/options.js'
import { createPlacement, type Placement } from '../placement.js'
import { nextSession$ } from './next-session.js'
import type { ChainError } from '../../errors/chain-error.js'
import type { TransactionIds } from '../../model/transaction-ids.js'

/** How long, in ms, the position is kept after the last subscriber, so that an immediate resubscription has no gap. */
const LINGER = 1_000

const SCOPE = { type: 'virtual-chain-changed', includeAcceptedTransactionIds: false } as const

/** Transactions accepted and reverted by the virtual chain. */
export interface AcceptanceStreams {
  /**
   * Every change since the first subscription, in chain order, each once: a reorg first emits its rollback and reverts
   * what the removed chain blocks accepted, then emits what the added ones accept. Changes of an outage are backfilled
   * after it; what cannot be backfilled is reported in `gaps$`. Hot and shared; replays nothing, never errors,
   * completes with the engine. Source: as `followChain`, with `virtual-chain-changed` as a hint, subscribed while there
   * are subscribers.
   */
  readonly changes$: Observable<AcceptanceChange>
  /** The same batch by batch, with ids that become strings when they are read. */
  readonly batches$: Observable<AcceptanceBatch>
  /**
   * The same, starting after a cursor or a chain block: what was accepted since is backfilled first. Shared by the
   * subscribers of one call; the first starts there. Otherwise like `changes$`.
   */
  readonly changesSince$: (start: ChainStart) => Observable<AcceptanceChange>
  /**
   * What is missing from `changes$`, emitted once the block after the gap is known and before its changes. A gap of
   * several streams is emitted once. Hot and shared; replays nothing, never errors, completes with the engine; sends no
   * requests.
   */
  readonly gaps$: Observable<Gap>
  /** The remembered part of the chain of each subscribed stream. */
  readonly chains: () => readonly (readonly AcceptingBlock[])[]
  /** Whether the virtual chain is subscribed at the node. */
  readonly placement: Placement
}

export const resumedBatchesModule = /*#__PURE__*/ lazyModule(() => import('./resumed-batches.js'))

export function createAcceptance(node: FollowDeps): AcceptanceStreams {
  const gapsFound$ = new Subject<Gap>()
  const chainsByStream = new Map<symbol, readonly AcceptingBlock[]>()
  node.ended$.subscribe(() => gapsFound$.complete())

  const batchesFrom$ = (start: ChainStart): Observable<AcceptanceBatch> =>
    defer(() => {
      const stream = Symbol('stream')
      const onChain = (chain: readonly AcceptingBlock[]): void => void chainsByStream.set(stream, chain)
      const onGapFound = (gap: HistoryGapError): void => gapsFound$.next(toGap(gap, node.platform.now()))
      const { hash: firstAdded, recording } = recordFirstAdded(node) // the code below may be loaded later
      return resumedBatchesModule.module$.pipe(
        retry({ delay: () => nextSession$(node) }),
        switchMap(({ resumedBatches$ }) => resumedBatches$(node, { start, onGapFound, onChain, firstAdded })),
        finalize(() => {
          recording.unsubscribe()
          chainsByStream.delete(stream)
        }),
      )
    })
  /** On another network, from its sink. The node stays subscribed between connections. */
  const shared$ = (start: ChainStart): Observable<AcceptanceBatch> => {
    const batches$ = node.network$.pipe(
      switchMap((_, switches) => batchesFrom$(switches === 0 ? start : { type: 'sink' })),
      takeUntil(node.ended$),
    )
    return using(
      () => node.acquire(SCOPE),
      () => batches$,
    ).pipe(share({ resetOnRefCountZero: () => timer(LINGER, node.platform.scheduler) }))
  }
  const changesOf$ = (batches$: Observable<AcceptanceBatch>): Observable<AcceptanceChange> =>
    batches$.pipe(mergeMap(toChanges), share())
  const batches$ = shared$({ type: 'sink' })
  return {
    batches$,
    changes$: changesOf$(batches$),
    changesSince$: (start) => changesOf$(shared$(start)),
    gaps$: gapsFound$.pipe(distinctUntilChanged(isSameGap), share()),
    chains: () => [...chainsByStream.values()],
    placement: createPlacement(node, SCOPE),
  }
}

const toGap = (gap: HistoryGapError, timestamp: number): Gap => ({
  stream: 'accepted-transactions',
  from: gap.from.hash,
  to: gap.to.hash,
  cause: gap,
  timestamp,
})

const isSameGap = (a: Gap, b: Gap): boolean => a.from === b.from && a.to === b.to

/** The changes of a batch one by one: the rollback, what it reverts, newest first, then the accepted ones in order. */
export const toChanges = ({ rollback, removed, added }: AcceptanceBatch): AcceptanceChange[] => [
  ...(rollback === null ? [] : [rollback]),
  ...removed.flatMap((block) => changesOf('reverted', block).reverse()),
  ...added.flatMap((block) => changesOf('accepted', block)),
]

const changesOf = (type: 'accepted' | 'reverted', { hash, accepted }: AcceptingBlock): AcceptanceChange[] =>
  accepted.toStrings().map((transactionId) => ({ type, transactionId, acceptingBlockHash: hash }))

/** A change of what the virtual chain accepts. */
export type AcceptanceChange = TransactionChange | AcceptanceRollback

/**
 * A transaction was accepted by the virtual chain, or reverted because its accepting block left the chain. Reverted
 * ones are those that this process saw accepted.
 */
export interface TransactionChange {
  readonly type: 'accepted' | 'reverted'
  readonly transactionId: string
  /** The chain block that accepts, or accepted, it. */
  readonly acceptingBlockHash: string
}

/**
 * Everything accepted above a chain block is undone, also what an earlier process saw accepted. Emitted before the
 * reverted transactions.
 */
export interface AcceptanceRollback {
  readonly type: 'rollback'
  /** The last block that stays on the chain. */
  readonly hash: string
  readonly blueScore: bigint
}

/** The sender addresses of an accepted transaction. */
export interface SendersResolved extends AcceptedTransactionInfo {
  readonly type: 'resolved'
}

export interface AcceptedTransactionsOptions {
  /**
   * Start after the batch that carried this cursor, or after the chain block with this hash: what was accepted since is
   * backfilled first, after a rollback of what has left the chain. If the node has no such history, `gaps$` reports a
   * gap.
   * @default the current chain
   */
  readonly from?: string | undefined
  /** Emit the sender addresses of each transaction once resolved: `{ type: 'resolved' }`. @default false */
  readonly includeSenderAddresses?: boolean | undefined
}

/** A part of a stream that could not be read. */
export interface Gap {
  readonly stream: 'accepted-transactions' | 'blocks'
  /** The last block before the gap, a chain block for accepted transactions; null if there is none. */
  readonly from: string | null
  /** The first block after the gap; null if there is none yet. */
  readonly to: string | null
  readonly cause: ChainError
  /** Unix milliseconds. */
  readonly timestamp: number
}

export interface AcceptedTransactionInfo {
  readonly transactionId: string
  readonly acceptingBlockHash: string
  /** Empty while unresolved. */
  readonly senderAddresses: string[]
}

export interface AcceptedHistoryOptions {
  /** Accepted transactions kept at most. @default 100 */
  readonly maxHistory?: number | undefined
  /** Resolve the sender addresses of each, in the background. @default false */
  readonly includeSenderAddresses?: boolean | undefined
}

/** A chain block and the transactions it accepted. */
export interface AcceptingBlock {
  readonly hash: string
  readonly accepted: TransactionIds
}

/** What one batch changes. */
export interface AcceptanceBatch {
  /** Null if nothing is undone. */
  readonly rollback: AcceptanceRollback | null
  /** The remembered blocks that the rollback removes, newest first. */
  readonly removed: readonly AcceptingBlock[]
  /** In the order of the chain. */
  readonly added: readonly AcceptingBlock[]
}
