import {
  defer,
  filter,
  map,
  race,
  retry,
  skip,
  tap,
  timer,
  type Observable,
  catchError,
  concatMap,
  forkJoin,
  from,
  of,
  reduce,
  timeout,
} from 'rxjs'
import { isHistoryGap } from '../../errors/history-gap.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import { toObservable } from '../chain/follow-chain.js'
import type { NodeLink } from '../session/node-link.js'
import type { FollowTransfers } from '../transfers/follow-transfers.js'
import type { TransferBatch, Transfer } from '../transfers/transfer.js'
import type { WatchedAddresses } from '../transfers/watched-addresses.js'
import type { AddressOfScript } from '../chain/to-transaction.js'
import type { ChainTransaction } from '../chain/batch.js'
import { readMempool$ } from '../transfers/history/read-mempool.js'
import { extractTransaction, type AddressFilter } from '../transfers/extract.js'
import type { AcceptedPayment, SeenPayment } from './record.js'
import type { RequestTerms } from './terms.js'

export interface FollowChainDeps extends Pick<NodeLink, 'platform' | 'session$'> {
  readonly followTransfers: FollowTransfers
}

/** A batch of transfers with the blue score of its last block. */
export interface TransferStep extends TransferBatch {
  readonly tip: bigint
}

/** Ms after which the chain is followed again, where no connection is made before. */
const RETRY_AFTER = 5_000

/**
 * The transfers of watched addresses. `counted` has those whose opening credits were in a batch so far. Never errors:
 * after a failure the chain is followed from its last position, or, where the node does not have that any more, from
 * the sink with opening credits.
 */
export const followTransfers$ = (
  { followTransfers, platform, session$ }: FollowChainDeps,
  { watched, counted, onFailure }: FollowedSet,
): Observable<TransferStep> => {
  let cursor: string | undefined
  return defer(() => {
    if (cursor === undefined) for (const address of watched) counted.add(address)
    const options = cursor === undefined ? {} : { cursor, counted: [...counted] }
    return toObservable(() => followTransfers({ addresses: watched, ...options }))
  }).pipe(
    tap((batch) => {
      cursor = batch.cursor
      for (const address of batch.added) counted.add(address)
    }),
    map((batch) => ({ ...batch, tip: tipScoreOf(batch.cursor) })),
    retry({
      delay: (error: unknown) => {
        if (isHistoryGap(error)) cursor = undefined
        onFailure()
        return race(timer(RETRY_AFTER, platform.scheduler), session$.pipe(skip(1), filter(isConnected)))
      },
    }),
  )
}

const isConnected = (session: unknown): boolean => session !== null

interface FollowedSet {
  readonly watched: WatchedAddresses
  readonly counted: Set<string>
  readonly onFailure: () => void
}

/** What the mempool has for some addresses. */
export interface MempoolContent {
  readonly transactions: readonly ChainTransaction[]
  /** The sink's blue score, read after the transactions. */
  readonly sink: bigint
}

/** Ms after which a look has failed: a page must not show an old state for longer as the current one. */
const MAX_DURATION = 5_000

/** Addresses of one call. */
const MAX_ADDRESSES = 1_000

/** Reads the mempool for addresses once, then the blue score of the sink. Null where it cannot be read. */
export const lookAtMempool$ = (
  { call, platform }: Pick<NodeLink, 'call' | 'platform'>,
  addresses: readonly string[],
  addressOf: AddressOfScript,
): Observable<MempoolContent | null> => {
  const parts = Array.from({ length: Math.ceil(addresses.length / MAX_ADDRESSES) }, (_, part) =>
    addresses.slice(part * MAX_ADDRESSES, (part + 1) * MAX_ADDRESSES),
  )
  return from(parts).pipe(
    concatMap((part) => readMempool$({ call }, part, addressOf)),
    reduce((all: readonly ChainTransaction[], some) => [...all, ...some], []),
    concatMap((transactions) =>
      forkJoin({ transactions: of(transactions), sink: defer(() => call('getSinkBlueScore', {})) }),
    ),
    map(({ transactions, sink: { blueScore } }) => ({ transactions, sink: blueScore })),
    timeout({ each: MAX_DURATION, scheduler: platform.scheduler }),
    catchError(() => of(null)), // the next look corrects it
  )
}

/** No chain block has accepted the transactions of the mempool. */
const UNACCEPTED = { hash: '', blueScore: 0n, daaScore: 0n, timestamp: 0 }

/** The outputs of mempool transactions that pay a request. */
export const pendingPayments = (
  terms: RequestTerms,
  transactions: readonly ChainTransaction[],
  filter: AddressFilter,
): readonly SeenPayment[] =>
  transactions.flatMap((transaction) => {
    const transfers = extractTransaction(transaction, UNACCEPTED, filter)?.transfers ?? []
    const inputs = transaction.inputs.map(({ outpoint }) => outpoint)
    return transfers
      .filter((transfer) => isPaymentOf(terms, transfer))
      .map(({ outpoint, amount, counterparties }) => ({ outpoint, amount, counterparties, inputs }))
  })

/**
 * The credits of a batch that pay a request. `startedAt` is a DAA score that was reached before its address was
 * watched.
 */
export const acceptedPayments = (
  terms: RequestTerms,
  { transactions }: Pick<TransferBatch, 'transactions'>,
  startedAt: bigint,
): readonly AcceptedPayment[] =>
  transactions
    .flatMap(({ transfers }) => transfers)
    .filter((transfer) => isPaymentOf(terms, transfer))
    .map((transfer) => ({
      outpoint: transfer.outpoint,
      amount: transfer.amount,
      counterparties: transfer.counterparties,
      inputs: [],
      blueScore: transfer.acceptingBlueScore,
      depthBefore: depthBefore(transfer, startedAt),
      timestamp: transfer.timestamp,
    }))

/**
 * The confirmations that an opening credit has at least where its address begins to be watched. The DAA score counts
 * red blocks too, of which there are fewer than blue ones: half of its difference is a lower bound.
 */
const depthBefore = ({ isOpening, acceptingDaaScore }: Transfer, startedAt: bigint): bigint =>
  isOpening && startedAt > acceptingDaaScore ? (startedAt - acceptingDaaScore) / 2n : 0n

/** What decides whether a transfer pays a request. */
export type PayingTransfer = Pick<
  Transfer,
  'address' | 'direction' | 'isCoinbase' | 'isChange' | 'isInternal' | 'isOpening' | 'acceptingDaaScore'
>

/**
 * Whether a transfer pays a request: a credit of its address that is no change, no coinbase and no payment of one's
 * own. An opening credit counts where its block is younger than the request: an older output was there before the
 * order. Outputs that a covenant binds are transfers only where a key alone may spend them.
 */
export const isPaymentOf = (
  { address, createdAt }: Pick<RequestTerms, 'address' | 'createdAt'>,
  transfer: PayingTransfer,
): boolean =>
  transfer.direction === 'credit' &&
  transfer.address === address &&
  !transfer.isCoinbase &&
  !transfer.isChange &&
  !transfer.isInternal &&
  (!transfer.isOpening || transfer.acceptingDaaScore > createdAt)
