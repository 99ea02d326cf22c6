import { Subject, type Observable } from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'

/** A transaction that the node rejected. */
export interface Rejection {
  readonly transactionId: string
  readonly error: ChainRpcError
}

/** A transaction replaced in the mempool (RBF). */
export interface Replacement {
  readonly transactionId: string
  readonly by: string
}

/** Rejections and replacements of payments of this engine. Nodes do not report them later. */
export interface SubmissionOutcomes {
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
