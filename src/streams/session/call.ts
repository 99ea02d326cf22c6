import { Observable } from 'rxjs'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { Session } from './establish.js'
import { unsupported } from './unsupported.js'

/** Asks the node of now, once; errors at once where there is none. Cold. */
export type Call = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  options?: { readonly timeout?: number | undefined },
) => Observable<RpcResponse<M>>

export interface CallDeps {
  readonly session: () => Session | null
  /** Bound of a call, ms, where it names none of its own. */
  readonly requestTimeout: number
  /** The error of a call that finds no connection. */
  readonly toNotConnected: (method: RpcMethod) => Error
  readonly onAnswered: (method: RpcMethod) => void
}

/**
 * A way to call that outlives connections. Nothing is sent twice: a call ends with the connection it was made on.
 * One observable in place of operators, which would cost a small query as much again as its encoding.
 */
export const createCall =
  ({ session, requestTimeout, toNotConnected, onAnswered }: CallDeps): Call =>
  (method, request, options) =>
    new Observable((subscriber) => {
      const now = session()
      const refusal = now === null ? toNotConnected(method) : unsupported(method, now.greeting.serverVersion)
      if (now === null || refusal !== undefined) {
        subscriber.error(refusal)
        return undefined
      }
      return now.connection.call(method, request, { timeout: options?.timeout ?? requestTimeout }).subscribe({
        next: (answer) => {
          onAnswered(method)
          subscriber.next(answer)
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      })
    })
