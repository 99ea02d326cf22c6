import { Subject, type Observable } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { Call } from '../../operations/queries/call.js'

/** A transaction that the node refused for good, and why. */
export interface Rejection {
  readonly transactionId: string
  readonly error: ChainRpcError
}

/** Refusals of the payments made through here, as they come. */
export interface Rejections {
  /** Hot; replays nothing, never errors. */
  readonly rejections$: Observable<Rejection>
  /** The same call, listened to; `explain` gives a refusal its reason. */
  readonly heard: (call: Call, explain: Explain) => Call
}

/** A refusal of the node with its reason; every other error as it is. */
type Explain = (error: unknown) => unknown

/** The node names the transaction in its refusal. */
const REJECTED = /Rejected transaction ([0-9a-f]{64})/

export function rejections(): Rejections {
  const rejections$ = new Subject<Rejection>()
  const hear = (error: unknown): void => {
    const rejection = toRejection(error)
    if (rejection !== undefined) rejections$.next(rejection)
  }
  return {
    rejections$: rejections$.asObservable(),
    heard: (call, explain) => async (method, request, options) => {
      try {
        return await call(method, request, options)
      } catch (error) {
        if (method === 'submitTransaction') hear(explain(error))
        throw error
      }
    },
  }
}

/** A duplicate is no refusal: the network has it. */
function toRejection(error: unknown): Rejection | undefined {
  if (!(error instanceof ChainRpcError) || error.reason === undefined || error.reason === 'duplicate') return undefined
  const [, transactionId] = REJECTED.exec(error.cause instanceof Error ? error.cause.message : '') ?? []
  return transactionId === undefined ? undefined : { transactionId, error }
}
