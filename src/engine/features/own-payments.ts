import { Subject, type Observable } from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import { BoundedMap, createSentIds, type SentIds } from '../../model/bounded-collections.js'
import type { PaymentCheck } from '../../operations/transactions/transaction-operations.js'

/** A transaction that the node rejected. */
interface Rejection {
  readonly transactionId: string
  readonly error: ChainRpcError
}

/** A transaction replaced in the mempool (RBF). */
interface Replacement {
  readonly transactionId: string
  readonly by: string
}

/** Rejections and replacements of payments of this engine. Nodes do not report them later. */
interface SubmissionOutcomes {
  /** Hot; replays nothing, never errors. */
  readonly rejections$: Observable<Rejection>
  /** Hot; replays nothing, never errors. */
  readonly replacements$: Observable<Replacement>
  readonly rejected: (transactionId: string, error: ChainRpcError) => void
  readonly replaced: (transactionId: string, by: string) => void
}

export function submissionOutcomes(): SubmissionOutcomes {
  const rejections$ = new Subject<Rejection>()
  const replacements$ = new Subject<Replacement>()
  return {
    rejections$: rejections$.asObservable(),
    replacements$: replacements$.asObservable(),
    rejected: (transactionId, error) => rejections$.next({ transactionId, error }),
    replaced: (transactionId, by) => replacements$.next({ transactionId, by }),
  }
}

/** Payments that are remembered, at most: a day of one in ten seconds. */
const CAPACITY = 10_000

/** The change addresses of own payments: a node does not say which output is the change. */
export interface OwnChanges {
  readonly remember: (transactionId: string, address: string) => void
  /** Whether an address got the change of a payment. */
  readonly isChange: (address: string, transactionId: string) => boolean
}

export function ownChanges(): OwnChanges {
  const addresses = new BoundedMap<string, string>(CAPACITY)
  return {
    remember: (transactionId, address) => addresses.set(transactionId, address),
    isChange: (address, transactionId) => addresses.get(transactionId) === address,
  }
}

/** The transactions that an engine has sent, to nodes by every path and to indexers. */
export const sentIds = (): SentIds => createSentIds()

/** What other parts of the library refuse of payments. */
export const paymentChecks = (): Set<PaymentCheck> => new Set()
