import { causeDetails } from './shown.js'
import { ChainError, type ChainErrorOptions } from './chain-error.js'

/**
 * - `remote`: the node executed the method and returned an error; its words are in `details`.
 * - `timeout`: no response in time. `connection-lost`: the socket closed while the call was in flight.
 * - `not-connected`: there is no connection. `unsupported`: the connected node's version does not know the method.
 * - `malformed`: the response could not be decoded. `invalid-argument`: rejected before sending.
 * - `aborted`, `superseded`: ended by `disconnect()` or the caller's signal, or by a newer `connect()`.
 * - `disposed`: called after the engine was disposed of, or pending when it was.
 * - `connect-failed`: no endpoint could be reached. `wrong-network`: the node serves another network.
 * - `code-not-loaded`: the connection's own code could not be loaded.
 * - `node-behind`: the node's chain does not reach the followed position, for longer than was allowed.
 */
export type ChainRpcErrorCode =
  | 'remote'
  | 'timeout'
  | 'connection-lost'
  | 'not-connected'
  | 'unsupported'
  | 'malformed'
  | 'invalid-argument'
  | 'aborted'
  | 'superseded'
  | 'disposed'
  | 'connect-failed'
  | 'wrong-network'
  | 'node-behind'
  | 'code-not-loaded'
  | 'failed'

/** Why a node refused a transaction, parsed from its error text. It proves nothing about the network. */
export type RejectReason =
  | 'orphan'
  | 'double-spend'
  | 'fee-too-low'
  | 'immature-coinbase'
  | 'mass-exceeded'
  | 'duplicate'
  | 'invalid-signature'
  | 'other'

export interface ChainRpcErrorOptions extends Omit<ChainErrorOptions<ChainRpcErrorCode>, 'cause'> {
  /** @default 'RPC method "<method>" failed' */
  readonly message?: string | undefined
  readonly reason?: RejectReason | undefined
}

/** An RPC call failed. The underlying error is in `cause`, the kind in `code`, the method in `method`. */
export class ChainRpcError extends ChainError<ChainRpcErrorCode> {
  override readonly name = 'ChainRpcError'
  readonly method: string
  /**
   * Only of `submitTransaction` and `submitTransactionReplacement` refused by the node, or, as `invalid-argument`, by
   * every node.
   */
  readonly reason: RejectReason | undefined

  constructor(method: string, cause?: unknown, options: ChainRpcErrorOptions = {}) {
    super(options.message ?? messageOf(method, cause), { ...options, cause })
    this.method = method
    this.reason = options.reason
  }
}

/** A connection is no method of a node: its error says why. */
function messageOf(method: string, cause: unknown): string {
  if (method !== 'connect') return `RPC method "${method}" failed`
  const why = causeDetails(cause)
  return why === '' ? 'Could not connect' : `Could not connect: ${why}`
}

interface ConnectErrorOptions extends Omit<ChainRpcErrorOptions, 'code' | 'message'> {
  readonly code: ChainRpcErrorCode
  /** The endpoint, where one was chosen. */
  readonly url?: string | undefined
  /** Why, in words that follow a colon. */
  readonly why: string
}

/** The error of `connect`: its message has what failed, where and why in one line. */
export const connectError = (cause: unknown, { url, why, ...options }: ConnectErrorOptions): ChainRpcError =>
  new ChainRpcError('connect', cause, {
    ...options,
    message: url === undefined ? `Could not connect: ${why}` : `Could not connect to ${url}: ${why}`,
  })

/** The close code of a connection that a message ended which is too long for its receiver. */
export const TOO_LONG = 1009

/** What the error of a lost connection says of its close code. */
export const droppedBy = (code: number | undefined): Pick<ChainRpcErrorOptions, 'argument' | 'hint'> =>
  code === TOO_LONG ? { argument: 'maxFrameSize', hint: 'Raise maxFrameSize, or request less at a time.' } : {}
