import { Subject, type Observable } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod } from '../../node/messages/records.js'
import type { Call } from '../../operations/queries/call.js'

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
  /** The same call, listened to for refusals; `explain` gives a refusal its reason. */
  readonly heard: (call: Call, explain: Explain) => Call
  readonly replaced: (transactionId: string, by: string) => void
}

/** A refusal of the node with its reason; every other error as it is. */
type Explain = (error: unknown) => unknown

const SUBMITTING: readonly RpcMethod[] = ['submitTransaction', 'submitTransactionReplacement']

/** The node names the transaction in its refusal. */
const REJECTED = /Rejected transaction ([0-9a-f]{64})/

export function ends(): Ends {
  const rejections$ = new Subject<Rejection>()
  const replacements$ = new Subject<Replacement>()
  const hear = (error: unknown): void => {
    const rejection = toRejection(error)
    if (rejection !== undefined) rejections$.next(rejection)
  }
  return {
    rejections$: rejections$.asObservable(),
    replacements$: replacements$.asObservable(),
    heard: (call, explain) => async (method, request, options) => {
      try {
        return await call(method, request, options)
      } catch (error) {
        if (SUBMITTING.includes(method)) hear(explain(error))
        throw error
      }
    },
    replaced: (transactionId, by) => replacements$.next({ transactionId, by }),
  }
}

/** A duplicate is no refusal: the network has it. */
function toRejection(error: unknown): Rejection | undefined {
  if (!(error instanceof ChainRpcError) || error.reason === undefined || error.reason === 'duplicate') return undefined
  const [, transactionId] = REJECTED.exec(error.cause instanceof Error ? error.cause.message : '') ?? []
  return transactionId === undefined ? undefined : { transactionId, error }
}
