import { Subject, type Observable } from 'rxjs'
import type { ChainRpcError } from '../../errors/rpc-error.js'

/** A transaction that the node refused for good, and why. */
export interface Rejection {
  readonly transactionId: string
  readonly error: ChainRpcError
}

/** A transaction whose place in the mempool another has taken. */
export interface Replacement {
  readonly transactionId: string
  readonly by: string
}

/** How payments made through here end without acceptance, as it happens: the node tells nobody of it later. */
export interface Ends {
  /** Hot; replays nothing, never errors. */
  readonly rejections$: Observable<Rejection>
  /** Hot; replays nothing, never errors. */
  readonly replacements$: Observable<Replacement>
  readonly rejected: (transactionId: string, error: ChainRpcError) => void
  readonly replaced: (transactionId: string, by: string) => void
}

export function ends(): Ends {
  const rejections$ = new Subject<Rejection>()
  const replacements$ = new Subject<Replacement>()
  return {
    rejections$: rejections$.asObservable(),
    replacements$: replacements$.asObservable(),
    rejected: (transactionId, error) => rejections$.next({ transactionId, error }),
    replaced: (transactionId, by) => replacements$.next({ transactionId, by }),
  }
}
