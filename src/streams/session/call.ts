import { defer, tap, throwError, type Observable } from 'rxjs'
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

/** A way to call that outlives connections. Nothing is sent twice: a call ends with the connection it was made on. */
export const createCall =
  ({ session, requestTimeout, toNotConnected, onAnswered }: CallDeps): Call =>
  (method, request, options) =>
    defer(() => {
      const now = session()
      if (now === null) return throwError(() => toNotConnected(method))
      const refusal = unsupported(method, now.greeting.serverVersion)
      if (refusal !== undefined) return throwError(() => refusal)
      return now.connection
        .call(method, request, { timeout: options?.timeout ?? requestTimeout })
        .pipe(tap(() => onAnswered(method)))
    })
