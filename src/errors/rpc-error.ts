import { ChainError, type ErrorDetails } from './chain-error.js'

/**
 * - `remote`: the node ran the method and refused; its words are in `cause.message`.
 * - `timeout`: no answer in time. `connection-lost`: the socket dropped while the call was under way.
 * - `not-connected`: no connection to send on. `unsupported`: the connected node's version does not know the method.
 * - `malformed`: the answer could not be read. `invalid-argument`: refused here, nothing was sent.
 * - `cancelled`, `superseded`: ended by `disconnect()`, by a newer `connect()`, or by the caller's signal.
 * - `connect-failed`: no endpoint could be connected to. `wrong-network`: the node serves another network.
 */
export type ChainRpcErrorCode =
  | 'remote'
  | 'timeout'
  | 'connection-lost'
  | 'not-connected'
  | 'unsupported'
  | 'malformed'
  | 'invalid-argument'
  | 'cancelled'
  | 'superseded'
  | 'connect-failed'
  | 'wrong-network'
  | 'failed'

/** Why a node refused a transaction, read from its own words. */
export type RejectReason =
  | 'orphan'
  | 'double-spend'
  | 'fee-too-low'
  | 'immature-coinbase'
  | 'mass-exceeded'
  | 'duplicate'
  | 'invalid-signature'
  | 'other'

export interface RpcErrorDetails extends Omit<ErrorDetails<ChainRpcErrorCode>, 'cause'> {
  readonly reason?: RejectReason | undefined
  readonly transactionId?: string | undefined
}

/** An RPC call failed. The underlying error is in `cause`, the kind in `code`, the method in `method`. */
export class ChainRpcError extends ChainError<ChainRpcErrorCode> {
  override readonly name = 'ChainRpcError'
  readonly method: string
  /** Only of `submitTransaction` and `submitTransactionReplacement` refused by the node. */
  readonly reason: RejectReason | undefined
  /** Only of a submission that may have arrived in spite of the error, or had before: follow it before you pay anew. */
  readonly transactionId: string | undefined

  constructor(method: string, cause?: unknown, details: RpcErrorDetails = {}) {
    super(`RPC method "${method}" failed`, { ...details, cause })
    this.method = method
    this.reason = details.reason
    this.transactionId = details.transactionId
  }
}

/** Whether the network may have the transaction in spite of the error of its submission. */
export const isUnsettled = (error: unknown): boolean =>
  error instanceof ChainRpcError && error.transactionId !== undefined
